internal import AccessPolicy
public import DeviceModel
public import SecretVault
public import SodiumKit
public import UserPresence

// Events of the device. Each is committed with its effects in one transaction, and then the prompts that it ends are
// dismissed.

extension Keychain {
    /// The present cost of one guess of the passcode.
    package var cost: StretchCost {
        get throws(KeychainError) { try onVault(vault.cost) }
    }

    /// The present state of the device.
    public var device: Device {
        get throws(KeychainError) { try onVault(vault.device) }
    }

    /// True if this process knows the device to be unlocked. Reading it never waits.
    public var isUnlocked: Bool { vault.isUnlocked }

    /// Locks the device.
    ///
    /// The keys of this process are wiped first, whatever other threads and processes are doing. Then the lock is
    /// recorded.
    ///
    /// - Throws: ``KeychainError/vault(_:)`` if the lock cannot be recorded. The keychain is closed then.
    @discardableResult
    public func lock() throws(KeychainError) -> Effects {
        let effects = try lockAtOnce()
        return try finishLock().effects ?? effects
    }

    /// Wipes the keys that a lock takes away and ends the prompts, without waiting. ``finishLock()`` records the lock.
    package func lockAtOnce() throws(KeychainError) -> Effects {
        try carry(vault.lockAtOnce())
    }

    /// Records a lock, and returns its effects if the device could be locked only now. If recording fails, it closes
    /// the keychain and throws.
    package func finishLock() throws(KeychainError) -> Vault.FinishedLock {
        do {
            let lock = try onVault(vault.finishLock())
            if let effects = lock.effects { endPrompts(effects) }
            return lock
        } catch {
            prompts.endAll(.systemCanceled)
            throw error
        }
    }

    /// Unlocks the device if `passcode`, typed at the lock screen, is right. The effects say whether it was.
    ///
    /// - Throws: ``KeychainError/authenticator(_:)`` if the authenticator could not check the passcode or does not
    ///   accept its length, and ``KeychainError/vault(_:)`` if the vault fails.
    @discardableResult
    public func unlock(passcode: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try unlock(passcode, KeychainCall(self, by: nil, in: nil)).effects
    }

    private func unlock(
        _ passcode: borrowing SecureBytes, _ call: KeychainCall, at ticket: PromptTicket? = nil
    ) throws(KeychainError) -> (effects: Effects, notes: [String]) {
        let attempt = try enter(passcode, in: call.context, at: ticket, for: call)
        switch attempt.result {
        case .checked(let effects): return (effects, attempt.notes)
        case .over: return (Effects(.refused(.promptOver)), attempt.notes)
        case .unavailable(let trouble): throw .authenticator(trouble)
        case .notOne: throw .authenticator(.length(passcode.count))
        }
    }

    /// Unlocks the device. Where a match can unlock it, the user is asked for a finger or a face first, and the passcode
    /// is the fallback. Otherwise the user is asked for the passcode. Three wrong answers in a row end the prompts.
    ///
    /// With a context, the factor also counts as authentication in that context, so the user is not asked for it again.
    /// A fake sensor is not asked here; ``unlockBySensor(showing:until:)`` does that.
    ///
    /// - Throws: ``KeychainError/wrongPasscode`` after the third wrong passcode, ``KeychainError/denied(_:)`` if the
    ///   prompt is canceled, and ``KeychainError/refused(_:)`` if the device refuses the attempt, such as during a
    ///   delay. A vault refuses it before it prompts, and after the wrong passcode that begins the delay.
    public func unlock(
        reason: String = "", by requester: Requester? = nil, in context: KeychainContext? = nil
    ) throws(KeychainError) {
        if let context, context.keychain !== self { throw .foreignContext }
        let call = KeychainCall(self, by: requester, in: context)
        let ways = try canUnlockBySensor(call) ? Ways([.biometry], [.passcode]) : Ways([.passcode])
        _ = try unlock(by: ways, reason: reason, call)
    }

    /// Prompts for the passcode and unlocks the device, as ``unlock(reason:by:in:)`` does if there is no sensor, and returns
    /// the passcode.
    package func typedPasscode(
        reason: String = "", by requester: Requester? = nil, in context: KeychainContext? = nil
    ) throws(KeychainError) -> SecureBytes {
        if let context, context.keychain !== self { throw .foreignContext }
        let right = try unlock(by: Ways([.passcode]), reason: reason, KeychainCall(self, by: requester, in: context))
        guard let right else { throw denied(Denial(.sheetFailed)) }
        return right
    }

    /// Prompts for one of these ways until the device is unlocked. Returns the passcode if the user typed it.
    private func unlock(
        by ways: Ways, reason: String, _ call: KeychainCall
    ) throws(KeychainError) -> SecureBytes? {
        var negotiation = Negotiation(asking: ways, sensor: sensorKind, isFallbackImmediate: isReal)
        var notes: [String] = []
        var right: SecureBytes?
        while case .ask(let factor) = negotiation.step {
            var content = PromptContent(
                PromptContent.Kind(proving: factor), reason: reason, app: call.requester.name,
                offersFallback: negotiation.wayOut == .offered)
            content.attempt = Int(negotiation.attempt)
            content.notes = notes
            if factor == .passcode {
                if let refusal = try refusalOfPasscodes { throw .refused(refusal) }
                content.allowance = try passcodeAllowance
            }
            switch factor {
            // After the last miss, only the fallback is left.
            case .biometry where !negotiation.acceptsMatch: negotiation.record(.fallback)
            case .biometry: negotiation.record(try promptForTouch(content, for: call))
            case .passcode: negotiation.record(try promptToUnlock(content, &notes, &right, for: call))
            case .companion, .applicationPassword: throw denied(Denial(.sheetFailed))
            }
        }
        switch negotiation.step {
        case .decide: return right.take()  // The factor was right, so the device is unlocked.
        case .over(.sheetFailed):
            // The last wrong passcode may have begun a delay.
            if let refusal = try refusalOfPasscodes { throw .refused(refusal) }
            throw .wrongPasscode
        case .over(let rule): throw denied(Denial(rule))
        case .ask, .tryOwnPassword, .askPermission, .answer: throw denied(Denial(.sheetFailed))
        }
    }

    /// The reason why a vault accepts no passcode now, so that no prompt asks for one in vain; nil if it accepts one. A
    /// simulated device prompts, and then refuses.
    var refusalOfPasscodes: Refusal? {
        get throws(KeychainError) {
            guard isReal else { return nil }
            return switch try device.passcodeState {
            case .ready, .notSet: nil
            case .delayed: .passcodeDelayed
            case .disabled: .passcodeDisabled
            }
        }
    }

    /// The place of the next passcode among those after which a vault accepts none. A simulated device says nothing of it,
    /// as Apple's do.
    var passcodeAllowance: PromptContent.Allowance? {
        get throws(KeychainError) {
            guard isReal else { return nil }
            let device = try device
            return PromptContent.Allowance(
                number: device.wrongPasscodes.count + 1, limit: device.wrongPasscodeLimit)
        }
    }

    /// True if a match at a real sensor can unlock the device now.
    private func canUnlockBySensor(_ call: KeychainCall) throws(KeychainError) -> Bool {
        guard let sensor, isReal, !sensor.isFake, !isOutOfReach(of: call.requester) else { return false }
        if try device.refusalToMatch != nil { return false }
        if try askSensor() != .believed { return false }
        // The sensor may have forgotten every finger.
        return try device.refusalToMatch == nil
    }

    /// Prompts for a finger or a face once.
    private func promptForTouch(
        _ content: PromptContent, for call: KeychainCall
    ) throws(KeychainError) -> Sheet.Result {
        var content = content
        content.sensor = sensorKind
        content.enrolled = try enrolledNames
        let prompt = Prompt(content)
        let ticket = try onVault(vault.openPromptToUnlock())
        let response = answer(to: prompt, of: call.context, at: ticket)
        if let ending = prompt.ending, let result = Sheet.Result(ending) { return result }
        switch consume response {
        case .touch(let shown): return try touch(showing: shown, prompt, call.context, ticket, isToUnlock: true)
        case .fallback: return .fallback
        case .cancel: return .ended(.sheetCanceled)
        case .confirm: return .ended(.sheetFailed)
        case .typed: return .ended(.sheetFailed)
        }
    }

    /// Prompts for the passcode once, and replaces `notes` with the authenticator's messages about the answer. A right
    /// passcode goes to `right`.
    private func promptToUnlock(
        _ content: PromptContent, _ notes: inout [String], _ right: inout SecureBytes?, for call: KeychainCall
    ) throws(KeychainError) -> Sheet.Result {
        let prompt = Prompt(content)
        let ticket = try onVault(vault.openPromptToUnlock())
        let response = answer(to: prompt, of: call.context, at: ticket)
        switch prompt.ending {
        case nil, .answered, .canceled, .fallback: break
        case .systemCanceled, .timedOut, .appCanceled: return .ended(.sheetSystemCanceled)
        }
        guard prompt.ending == nil, case .typed(let typed) = consume response else { return .ended(.sheetCanceled) }
        let attempt = try unlock(typed, call, at: ticket)
        notes = attempt.notes
        if attempt.effects.authenticated(.passcode) {
            right = consume typed
            return .authenticated
        }
        switch attempt.effects.refusal {
        case .promptOver: return .ended(.sheetSystemCanceled)
        case .some(let refusal): throw .refused(refusal)
        case nil: return .wrong
        }
    }

    /// Waits for a finger or a face at the sensor, and unlocks the device if it matches. The effects say whether it
    /// did.
    ///
    /// - Parameters:
    ///   - shown: The finger or face shown to a fake sensor, which cannot see for itself.
    ///   - prompt: A prompt whose end stops the wait.
    /// - Throws: ``KeychainError/sensor(_:)`` if the sensor fails or matches an enrollment that is not on record.
    @discardableResult
    public func unlockBySensor(showing shown: String? = nil, until prompt: Prompt? = nil) throws(KeychainError)
        -> Effects
    {
        guard let sensor else { return Effects(.refused(.noSensor)) }
        if let failure = try refresh(from: sensor) { throw .sensor(failure) }
        let refused = try device.refusalToMatch
        if let refused { return Effects(.refused(refused)) }
        // The user may take a while at the sensor. If the device is locked meanwhile, it stays locked.
        let ticket = try onVault(vault.openPromptToUnlock())
        let match: SensorMatch
        do {
            match = try self.match(showing: shown, prompt ?? Prompt(PromptContent(.biometry)), of: nil)
        } catch {
            sensorError = error
            throw .sensor(error)
        }
        guard let effects = try record(match, in: nil, at: ticket) else { throw .sensor(.notEnrolled) }
        return effects
    }

    /// Sets a passcode on a device that has none.
    @discardableResult
    public func setPasscode(_ passcode: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try carry(vault.setPasscode(passcode))
    }

    /// Changes the passcode.
    ///
    /// If the keychain has another authenticator, such as PAM, it has to accept the new passcode: change the login
    /// password first. A new passcode that it rejects counts as an attempt.
    ///
    /// - Throws: ``KeychainError/wrongPasscode`` if the authenticator rejects the new passcode, and
    ///   ``KeychainError/authenticator(_:)`` if it cannot check it.
    @discardableResult
    public func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes
    ) throws(KeychainError) -> Effects {
        var verdict = PasscodeResult.Verdict.accepted
        let effects = try carry(
            vault.changePasscode(from: present, to: next, at: nil) { next in
                if let judge { verdict = judge.authenticate(next).verdict }
                return OtherVerdict(verdict)
            })
        if case .unavailable(let trouble) = verdict { throw .authenticator(trouble) }
        if verdict == .wrong { throw .wrongPasscode }
        return effects
    }

    /// Returns true if the recovery key opens this vault. The key neither authenticates the user nor opens any item.
    package func isRecoveryKey(_ key: RecoveryKey) throws(KeychainError) -> Bool {
        try onVault(vault.isRecoveryKey(key))
    }

    /// True if the vault has a recovery key.
    package var hasRecoveryKey: Bool {
        get throws(KeychainError) { try onVault(vault.hasRecoveryKey) }
    }

    /// Makes a new recovery key, and returns it. The root that a former one opens is replaced and destroyed. The passcode
    /// counts as an attempt.
    ///
    /// - Throws: ``KeychainError/wrongPasscode`` if the passcode is wrong, and ``KeychainError/refused(_:)`` if none is
    ///   accepted now.
    package func replaceRecoveryKey(_ passcode: borrowing SecureBytes) throws(KeychainError) -> RecoveryKey {
        let (effects, key) = try onVault(vault.rekey(passcode, makesRecoveryKey: true))
        endPrompts(effects)
        if let key { return key }
        if let refusal = effects.refusal { throw .refused(refusal) }
        throw .wrongPasscode
    }

    /// Sets a new passcode with the recovery key. The key neither authenticates the user nor opens any item.
    @discardableResult
    public func recover(with key: RecoveryKey, to next: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try carry(vault.recover(with: key, to: next))
    }
}

extension Device {
    /// The reason why the device refuses to look for a match now; nil if it does not refuse.
    fileprivate var refusalToMatch: Refusal? {
        var trial = self
        return trial.apply(.presented(.unknown)).refusal
    }
}
