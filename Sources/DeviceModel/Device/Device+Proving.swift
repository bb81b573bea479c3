internal import AccessPolicy

extension Device {
    /// The number of different wrong passcodes after which the device next accepts none: for a while, or for good.
    public var wrongPasscodeLimit: Int {
        let delays = settings.fidelity.passcodeDelays
        var count = wrongPasscodes.count + 1
        while count < delays.limit && delays.delay(after: count) == .zero { count += 1 }
        return count
    }

    var currentDelay: TimeSpan {
        settings.fidelity.passcodeDelays.delay(after: wrongPasscodes.count)
    }

    mutating func enter(_ code: Passcode) -> Effects {
        switch passcodeState {
        case .notSet: return Effects(.passcodeNotSet)
        case .disabled: return Effects(.passcodeDisabled)
        case .delayed: return Effects(.passcodeDelayed)
        case .ready: break
        }
        var effects = Effects()
        guard code == passcode else {
            effects.add(.rejected(.passcode))
            countWrong(code, &effects)
            return effects
        }
        effects.add(.authenticated(.passcode))
        forgiveAll()
        unlock(&effects)
        return effects
    }

    private mutating func countWrong(_ code: Passcode, _ effects: inout Effects) {
        guard !wrongPasscodes.contains(code) else { return }
        wrongPasscodes.insert(code)
        if settings.attemptEnd == .erases && wrongPasscodes.count >= settings.fidelity.passcodeDelays.limit {
            eraseAll(&effects)
        } else {
            delayedUntil = now + currentDelay
            if isDisabled {
                passcodeReasons.insert(.disabled)
                effects.add(.forgetUnlockKey)
            }
        }
    }

    /// Clears all counts of failures, the lockout, and every reason to require the passcode, as the right passcode
    /// does.
    private mutating func forgiveAll() {
        wrongPasscodes = []
        delayedUntil = .start
        failedMatches = 0
        passcodeReasons = []
        lastPasscode = now
    }

    mutating func present(_ finger: Finger) -> Effects {
        if settings.sensor == .none { return Effects(.noSensor) }
        if passcode == nil { return Effects(.passcodeNotSet) }
        if enrolled.isEmpty { return Effects(.nobodyEnrolled) }
        if isLockedOut || !passcodeReasons.isEmpty { return Effects(.passcodeRequired) }
        var effects = Effects()
        guard enrolled.contains(finger) else {
            failedMatches += 1
            effects.add(.rejected(.biometry))
            if isLockedOut { effects.add(.forgetUnlockKey) }
            return effects
        }
        failedMatches = 0
        effects.add(.authenticated(.biometry))
        if isLocked {
            unlock(&effects)
            biometricUnlock = BiometricUnlock(at: now, domainState: domainState)
            lastBiometricUnlock = now
        }
        return effects
    }

    mutating func setPasscode(_ code: Passcode) -> Effects {
        if passcode != nil { return Effects(.passcodeAlreadySet) }
        guard passcodeClassKey < .max else { return Effects(.countersExhausted) }
        var effects = Effects()
        passcode = code
        passcodeClassKey += 1
        lastUnlocked = now
        lastBiometricUnlock = now
        forgiveAll()
        effects.add(.rewrapRoot)
        effects.add(.createPasscodeClass(passcodeClassKey))
        effects.add(.open([.whenPasscodeSet]))
        return effects
    }

    mutating func changePasscode(_ code: Passcode) -> Effects {
        if passcode == nil { return Effects(.passcodeNotSet) }
        if isLocked { return Effects(.deviceLocked) }
        if passcode == code { return Effects(.nothingToChange) }
        var effects = Effects()
        passcode = code
        forgiveAll()
        effects.add(.rewrapRoot)
        endSession(&effects)  // authentications with the former passcode no longer count
        return effects
    }

    /// Replaces the passcode by the recovery key. The counts of wrong passcodes are cleared, and the device stays as
    /// locked as it was.
    mutating func recoverPasscode(_ code: Passcode) -> Effects {
        if passcode == nil { return Effects(.passcodeNotSet) }
        var effects = Effects()
        passcode = code
        wrongPasscodes = []
        delayedUntil = .start
        passcodeReasons.remove(.disabled)
        if isLocked { passcodeReasons.insert(.recovered) }
        effects.add(.rewrapRoot)
        effects.add(.forgetUnlockKey)
        endSession(&effects)
        return effects
    }

    mutating func removePasscode() -> Effects {
        if passcode == nil { return Effects(.passcodeNotSet) }
        if isLocked { return Effects(.deviceLocked) }
        var effects = Effects()
        passcode = nil
        securityDelayEnds = nil
        forgiveAll()
        effects.add(.endSheets)
        effects.add(.rewrapRoot)
        effects.add(.close([.whenPasscodeSet], keptForMatch: false))
        effects.add(.destroyPasscodeClass(passcodeClassKey))
        effects.add(.forgetUnlockKey)
        endSession(&effects)
        return effects
    }
}
