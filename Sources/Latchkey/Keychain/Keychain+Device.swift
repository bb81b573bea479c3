internal import AccessPolicy
public import DeviceModel
public import SecretVault
public import SodiumKit
public import UserPresence

// What happens to the device. Each event is carried out with its effects in one transaction; the prompts that it ends are taken
// away.

extension Keychain {
    /// The present cost of a guess of the passcode.
    package var cost: StretchCost {
        get throws(KeychainError) { try onVault { (vault) throws(VaultError) in try vault.cost } }
    }

    /// The device as it is now.
    public var device: Device {
        get throws(KeychainError) { try onVault { (vault) throws(VaultError) in try vault.device } }
    }

    /// True if the device is unlocked, as far as this program knows. This never waits.
    public var isUnlocked: Bool { vault.isUnlocked }

    /// Locks the device.
    ///
    /// The keys are wiped first, whatever other threads and programs are doing. Throws if the lock cannot be recorded; the
    /// keychain is closed then.
    @discardableResult
    public func lock() throws(KeychainError) -> Effects {
        let effects = try lockAtOnce()
        return try finishLock() ?? effects
    }

    /// Wipes what a lock takes away and ends the prompts, without waiting. ``finishLock()`` does the rest.
    package func lockAtOnce() throws(KeychainError) -> Effects {
        try carry { (vault) throws(VaultError) in try vault.lockAtOnce() }
    }

    /// Records a lock. Returns its effects if the device could be locked only now. Throws and closes the keychain if
    /// recording fails.
    @discardableResult
    package func finishLock() throws(KeychainError) -> Effects? {
        do throws(KeychainError) {
            let effects = try onVault { (vault) throws(VaultError) in try vault.finishLock() }
            if let effects { endPrompts(effects) }
            return effects
        } catch {
            prompts.endAll(.systemCanceled)
            throw error
        }
    }

    /// Checks a passcode that is typed at the lock screen; a right one unlocks the device. Throws if no authenticator could
    /// check it.
    @discardableResult
    public func unlock(passcode: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try unlock(passcode, KeychainCall(self, by: nil, in: nil)).effects
    }

    private func unlock(
        _ passcode: borrowing SecureBytes, _ call: KeychainCall, at ticket: SheetTicket? = nil
    ) throws(KeychainError) -> (effects: Effects, notes: [String]) {
        let attempt = try enter(passcode, in: call.context, at: ticket, for: call)
        switch attempt.result {
        case .checked(let effects): return (effects, attempt.notes)
        case .over: return (Effects(.refused(.promptOver)), attempt.notes)
        case .unavailable(let trouble): throw .authenticator(trouble)
        case .notOne: throw .authenticator(.length(passcode.count))
        }
    }

    /// Asks the user for the passcode until it is right, three times at most, and unlocks the device with it. Where a
    /// context is given, the passcode is proved in it as well: whoever has just typed it for a purpose is not asked again.
    public func unlock(
        reason: String = "", by requester: Requester? = nil, in context: KeychainContext? = nil
    ) throws(KeychainError) {
        if let context, context.keychain !== self { throw .foreignContext }
        let call = KeychainCall(self, by: requester, in: context)
        var negotiation = Negotiation(asking: Ways([.passcode]), sensor: sensorKind)
        var notes: [String] = []
        while case .ask = negotiation.step {
            var content = PromptContent(.passcode, reason: reason, app: call.requester.name)
            content.attempt = Int(negotiation.attempt)
            content.notes = notes
            negotiation.record(try promptToUnlock(content, &notes, for: call))
        }
        switch negotiation.step {
        case .decide: return  // it was right, and the device is unlocked
        case .over(.sheetFailed): throw .wrongPasscode
        case .over(let rule): throw denied(Denial(rule))
        case .ask, .tryOwnPassword, .askPermission, .answer: throw denied(Denial(.sheetFailed))
        }
    }

    /// Prompts for the passcode once. `notes` becomes what the authenticator has to say of the answer.
    private func promptToUnlock(
        _ content: PromptContent, _ notes: inout [String], for call: KeychainCall
    ) throws(KeychainError) -> Sheet.Result {
        let prompt = Prompt(content)
        let ticket = try onVault { (vault) throws(VaultError) in try vault.openSheetToUnlock() }
        let response = answer(to: prompt, of: call.context, at: ticket)
        switch prompt.ending {
        case nil, .answered, .canceled, .fallback: break
        case .systemCanceled, .timedOut, .appCanceled: return .ended(.sheetSystemCanceled)
        }
        guard prompt.ending == nil, case .typed(let typed) = consume response else { return .ended(.sheetCanceled) }
        let attempt = try unlock(typed, call, at: ticket)
        notes = attempt.notes
        if attempt.effects.authenticated(.passcode) { return .authenticated }
        switch attempt.effects.refusal {
        case .promptOver: return .ended(.sheetSystemCanceled)
        case .some(let refusal): throw .refused(refusal)
        case nil: return .wrong
        }
    }

    /// Unlocks the device by the sensor: waits for somebody to show up. `shown` is what they show, for a fake sensor. Whether
    /// it unlocked is in the effects.
    @discardableResult
    public func unlockBySensor(showing shown: String? = nil, until prompt: Prompt? = nil) throws(KeychainError)
        -> Effects
    {
        guard sensor != nil else { return Effects(.refused(.noSensor)) }
        if case .away = try askSensor() { throw .sensor(sensorError ?? .timedOut) }
        let refused = try device.refusalToMatch
        if let refused { return Effects(.refused(refused)) }
        // The user may take a while at the sensor. If the device is locked meanwhile, it stays locked.
        let ticket = try onVault { (vault) throws(VaultError) in try vault.openSheetToUnlock() }
        let match: SensorMatch
        do throws(SensorError) {
            match = try self.match(showing: shown, prompt ?? Prompt(PromptContent(.biometry)), of: nil)
        } catch {
            sensorError = error
            throw .sensor(error)
        }
        guard let effects = try record(match, in: nil, at: ticket) else { throw .sensor(.notEnrolled) }
        return effects
    }

    /// Sets a passcode where there is none.
    @discardableResult
    public func setPasscode(_ passcode: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try carry { (vault) throws(VaultError) in try vault.setPasscode(passcode) }
    }

    /// Changes the passcode. Where another authenticator has a say, such as PAM, the next passcode has to be one that it
    /// accepts: change the login password first. What it refuses counts as an attempt.
    @discardableResult
    public func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes
    ) throws(KeychainError) -> Effects {
        var verdict = PasscodeResult.Verdict.accepted
        let effects = try carry { (vault) throws(VaultError) in
            try vault.changePasscode(from: present, to: next, at: nil) { next in
                if let authenticator { verdict = authenticator.authenticate(next).verdict }
                return OtherVerdict(verdict)
            }
        }
        if case .unavailable(let trouble) = verdict { throw .authenticator(trouble) }
        if verdict == .wrong { throw .wrongPasscode }
        return effects
    }

    /// Sets another passcode by the recovery key, which proves and opens nothing.
    @discardableResult
    public func recover(with key: RecoveryKey, to next: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try carry { (vault) throws(VaultError) in try vault.recover(with: key, to: next) }
    }
}

extension Device {
    /// Why the sensor is not even asked for a match; nil where it is.
    fileprivate var refusalToMatch: Refusal? {
        var trial = self
        return trial.apply(.presented(.unknown)).refusal
    }
}
