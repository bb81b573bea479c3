internal import AccessPolicy

extension Device {
    mutating func reboot() -> Effects {
        var effects = Effects()
        effects.add(.endSheets)
        endSession(&effects)
        guard passcode != nil else { return effects }
        let closed = openClasses.subtracting([.always])
        if !isLocked {
            lastUnlocked = now
            endSecurityDelayIfOver()
        }
        isLocked = true
        isOpen = false
        hasFirstUnlock = false
        passcodeReasons.insert(.restarted)
        if now < delayedUntil { delayedUntil = now + currentDelay }  // a restart restarts the delay
        if !closed.isEmpty { effects.add(.close(closed, keptForMatch: false)) }
        effects.add(.forgetUnlockKey)
        return effects
    }

    mutating func lock(because reason: PasscodeReason?) -> Effects {
        guard passcode != nil else { return Effects(.passcodeNotSet) }
        if isLocked && reason.map({ passcodeReasons.contains($0) }) ?? true { return Effects(.nothingToChange) }
        var effects = Effects()
        if let reason {
            passcodeReasons.insert(reason)
            effects.add(.forgetUnlockKey)
        }
        if !isLocked {
            effects.add(.endSheets)
            isLocked = true
            lastUnlocked = now
            endSecurityDelayIfOver()
        }
        // A remote or emergency lock takes effect at once, without the grace period.
        close(after: reason == nil ? settings.lockGrace : .zero, &effects)
        return effects
    }

    /// Closes the *when unlocked* class keys once the grace period is over, and ends the session.
    private mutating func close(after grace: TimeSpan, _ effects: inout Effects) {
        guard isLocked, isOpen, now - lastUnlocked >= grace else { return }
        let kept = canMatch
        isOpen = false
        if !kept { passcodeReasons.insert(.noUnlockKey) }
        effects.add(.close([.whenUnlocked, .whenPasscodeSet], keptForMatch: kept))
        endSession(&effects)
    }

    /// True if a biometric match could unlock the device now.
    private var canMatch: Bool {
        settings.sensor != .none && !enrolled.isEmpty && !isLockedOut && passcodeReasons.isEmpty
    }

    mutating func endSession(_ effects: inout Effects) {
        session += 1
        biometricUnlock = nil
        effects.add(.wipeContexts)
    }

    mutating func pass(_ span: TimeSpan) -> Effects {
        guard span >= .zero else { return Effects(.clockCannotGoBack) }
        guard now + span <= Self.endOfTime else { return Effects(.clockGoesNoFurther) }
        now = now + span
        var effects = Effects()
        guard passcode != nil else { return effects }
        let before = passcodeReasons
        if isLocked && now - lastUnlocked > .hours(48) { passcodeReasons.insert(.notUnlocked) }
        let limits = settings.fidelity.passcodeTimeout
        if now - lastPasscode > limits.passcodeUnused && now - lastBiometricUnlock > limits.biometryUnused {
            passcodeReasons.insert(.passcodeUnused)
        }
        if passcodeReasons != before { effects.add(.forgetUnlockKey) }
        close(after: settings.lockGrace, &effects)
        return effects
    }

    mutating func unlock(_ effects: inout Effects) {
        guard isLocked else { return }
        // An unlock always begins a session, even during the grace period: another user may have unlocked the device.
        if isOpen { endSession(&effects) }
        let before = openClasses
        isLocked = false
        isOpen = true
        hasFirstUnlock = true
        lastUnlocked = now
        let opened = openClasses.subtracting(before)
        if !opened.isEmpty { effects.add(.open(opened)) }
    }
}
