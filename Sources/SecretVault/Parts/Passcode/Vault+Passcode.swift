internal import AccessPolicy
public import DeviceModel
public import SodiumKit

extension Vault {
    /// Checks a passcode: it is right if it opens the keys. The right passcode unlocks the device and is evidence in
    /// `context`.
    ///
    /// This is the verdict of the keys alone. If there is another authenticator such as PAM, ask it first.
    ///
    /// - Throws: ``VaultError`` if the passcode has a wrong length, or the attempt cannot be recorded.
    @discardableResult
    public func enter(
        passcode: borrowing SecureBytes, in context: VaultContext? = nil
    ) throws(VaultError) -> Effects {
        try check(passcode, in: context) { _, _, effects in effects }
    }

    /// Checks a passcode with another authenticator. The vault records the attempt, then asks `other`, then tries the
    /// keys. A passcode typed at a prompt does not count once the prompt is over.
    ///
    /// `isJudged` is true if `other` has asked another authenticator. If it accepts the former passcode, the login password
    /// was not changed after all, and the vault goes back to that one.
    ///
    /// If the keys open, the settings are checked before `other` is called: ``hasChecked(_:)`` then says if an authenticator
    /// that they name may be asked.
    package func enter(
        passcode: borrowing SecureBytes, in context: VaultContext?, at sheet: PromptTicket?,
        isJudged: @autoclosure () -> Bool = false, asking other: (borrowing SecureBytes) -> OtherVerdict
    ) throws(VaultError) -> Effects {
        try check(passcode, in: context, at: sheet, isJudged: isJudged, asking: other) { _, _, effects in effects }
    }

    /// The milliseconds for which the former passcode still opens the vault, because the new one has not opened it yet;
    /// nil if only the present one opens it. Reading it removes a former passcode whose time is over.
    package var formerPasscodeRemains: Int64? {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                try vault.endFormerWhenOver()
                return vault.bag.former?.remaining(at: vault.device.now)
            }
        }
    }

    /// Sets a passcode if there is none.
    @discardableResult
    public func setPasscode(_ passcode: borrowing SecureBytes) throws(VaultError) -> Effects {
        try run { vault in
            try passcode.requirePasscodeLength()
            // Root, salt and cost come from the keybag that is changed, so no other program may change it in between.
            return try vault.lockedAndRefreshed { vault in
                let secrets = EventKeys(
                    root: try vault.bag.root(vault.store.fixed),
                    stretch: try Stretched(passcode, vault.bag).key.copy())
                return try vault.happen(.passcodeSet(PasscodeAttempts.first), secrets)
            }
        }
    }

    /// Changes the passcode. The present one is checked like any attempt: a wrong one counts, and changes nothing.
    @discardableResult
    public func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes
    ) throws(VaultError) -> Effects {
        try changePasscode(from: present, to: next, at: nil) { _ in .accepted }
    }

    /// Changes the passcode at a prompt, with another authenticator that judges the next passcode. If it refuses, that
    /// counts as an attempt. Nothing counts once the prompt is over.
    ///
    /// If `keepingFormer`, the present passcode goes on opening the vault until the next one has opened it once, and for
    /// seven days at most.
    package func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes, at sheet: PromptTicket?,
        keepingFormer: Bool = false,
        asking other: (_ next: borrowing SecureBytes) -> OtherVerdict
    ) throws(VaultError) -> Effects {
        try next.requirePasscodeLength()
        let isSame = present.equals(next)
        let stretched = try stretchedNow(next)
        // The authenticator refuses the next passcode, so that one identifies the attempt.
        return try check(
            present, at: sheet, asking: { _ in other(next) }, refused: { try Stretched(next, $0, salt: $1) }
        ) { vault, root, effects in
            switch root {
            case .none: return effects
            case .some(let root):
                let secrets = EventKeys(root: try root.copy(), stretch: try vault.stretch(next, stretched))
                let right = vault.device.passcode ?? PasscodeAttempts.first
                // The present passcode has ended an earlier former one. So if there is one, that is what was typed.
                let typed = vault.bag.former?.wrapped ?? vault.bag.root.underPasscode
                let now = vault.device.now.milliseconds
                let former = keepingFormer && !isSame ? typed.map { FormerWrap(wrapped: $0, since: now) } : nil
                return try vault.happen(.passcodeChanged(isSame ? right : vault.otherPasscode), secrets) {
                    $0.former = former
                }
            }
        }
    }

    /// Removes the passcode of a simulated device. This destroys every item of the class *when passcode set*.
    ///
    /// - Throws: ``VaultError/realVault(_:)`` for a real vault, which always has a passcode.
    @discardableResult
    public func removePasscode(_ present: borrowing SecureBytes) throws(VaultError) -> Effects {
        if kind == .real { throw .realVault(.passcode) }
        return try check(present) { vault, root, effects in
            switch root {
            case .none: effects
            case .some(let root): try vault.happen(.passcodeRemoved, EventKeys(root: try root.copy()))
            }
        }
    }

    /// Returns true if the recovery key opens this vault. The recovery key is no evidence and unlocks nothing.
    package func isRecoveryKey(_ key: RecoveryKey) throws(VaultError) -> Bool {
        try run { vault in
            try vault.refresh()
            return try Gates.lend(vault.bag.root(recovery: key.key, vault.store.fixed)) {
                try vault.checkSettings(with: $0, counts: false)
            } != nil
        }
    }

    package var hasRecoveryKey: Bool {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                return vault.bag.root.underRecovery != nil
            }
        }
    }

    /// Sets a new passcode with the recovery key. The recovery key is no evidence and unlocks nothing.
    @discardableResult
    public func recover(with key: RecoveryKey, to next: borrowing SecureBytes) throws(VaultError) -> Effects {
        try next.requirePasscodeLength()
        let stretched = try stretchedNow(next)
        return try run { vault in
            try vault.lockedAndRefreshed { vault in
                let root = try vault.bag.root(recovery: key.key, vault.store.fixed)
                guard try Gates.lend(root, { try vault.checkSettings(with: $0, counts: false) }) != nil else {
                    throw VaultError.wrongRecoveryKey
                }
                let secrets = EventKeys(root: root, stretch: try vault.stretch(next, stretched))
                return try vault.happen(.passcodeRecovered(vault.otherPasscode), secrets)
            }
        }
    }

    /// Replaces the salt, the cost, the root and the erase key. Class keys, gates and the device's own key stay. Returns the
    /// new recovery key if the vault has one, or if `makesRecoveryKey`. If the passcode is wrong, returns no key, and the
    /// effects of a wrong attempt.
    ///
    /// - Throws: ``VaultError/realVault(_:)`` if the cost is too low for a real vault.
    public func rekey(
        _ passcode: borrowing SecureBytes, cost: StretchCost? = nil, makesRecoveryKey: Bool = false
    ) throws(VaultError) -> (effects: Effects, recovery: RecoveryKey?) {
        let cost = try run { cost ?? $0.bag.cost }
        if kind == .real && !cost.isEnoughForRealVaults { throw .realVault(.cost) }
        let salt = Sodium.randomBytes(StretchCost.saltCount)
        let stretch = try inVaultWords { try cost.stretch(passcode, salt: salt) }
        return try check(passcode) { vault, root, effects in
            switch root {
            case .none: return (effects, nil)
            case .some(let root):
                let store = vault.store
                var bag = vault.bag
                let next = try Key.random()
                try bag.replaceRoot(root, by: next)
                bag.salt = salt
                bag.cost = cost
                bag.attempts.forgetWrong()
                // The former passcode is wrapped for the former root and salt.
                bag.former = nil
                try bag.wrap(next, stretch: stretch, store.fixed)
                // The former recovery key opens only the former root.
                let hasRecoveryKey = makesRecoveryKey || bag.root.underRecovery != nil
                let recovery = hasRecoveryKey ? RecoveryKey(try Key.random()) : nil
                if let recovery { try bag.wrap(next, recovery: recovery.key, store.fixed) }
                let key = try Keybag.settingsKey(next)
                try bag.sealSettings(under: key, after: bag.settingsNumber, vaultID: store.keys.vaultID)
                let mark = try Keybag.mark(ofSettingsKey: key)
                try vault.destroyingTransaction { vault in
                    try vault.commit(bag, vault.device, destroying: true)
                    vault.checked = vault.bag.owner
                    if recovery != nil {
                        vault.audit.add(.event, "set-recovery-key", hour: vault.device.now.milliseconds)
                    }
                }
                vault.checkedUnder = mark
                try vault.ring.change { $0.keys.settings = try key.copy() }
                return (effects, recovery)
            }
        }
    }

    /// The present cost of a guess of the passcode.
    package var cost: StretchCost { get throws(VaultError) { try run { $0.bag.cost } } }

    /// Carries out one attempt at the passcode. `body` gets the root if the passcode is right. `refused` returns what
    /// the other authenticator refuses, if that is not the passcode itself.
    private func check<Result: Sendable>(
        _ passcode: borrowing SecureBytes, in context: VaultContext? = nil, at sheet: PromptTicket? = nil,
        isJudged: () -> Bool = { false }, asking other: (borrowing SecureBytes) -> OtherVerdict = { _ in .accepted },
        refused: (StretchCost, _ salt: [UInt8]) throws -> Stretched? = { _, _ in nil },
        _ body: (inout VaultState, borrowing Key?, Effects) throws -> Result
    ) throws(VaultError) -> Result {
        try passcode.requirePasscodeLength()
        return try attempts.held { () throws(VaultError) in
            var attempt = Attempt(sheet: sheet, epoch: ring.epoch)
            while true {
                let cost: StretchCost
                let salt: [UInt8]
                switch try run({ try $0.beginAttempt(attempt) }) {
                case .refused(let effects): return try run { try body(&$0, nil, effects) }
                case .stretch(let ofVault, let itsSalt): (cost, salt) = (ofVault, itsSalt)
                }
                let stretched = try inVaultWords { try Stretched(passcode, cost, salt: salt) }
                let noted = try run { try $0.noteAttempt(stretched, attempt) }
                if let refusal = noted.refusal { return try run { try body(&$0, nil, refusal) } }
                guard noted.isCurrent else { continue }
                attempt.hadCheckedSettings = try run { try $0.checkSettings(for: stretched) }
                let verdict = other(passcode)
                attempt.isJudged = isJudged()
                let judged = attempt
                let another = verdict == .wrong ? try inVaultWords { try refused(cost, salt) } : nil
                return try run(in: context) { vault, state in
                    let context = context == nil ? nil : state
                    switch another {
                    case .some(let another):
                        return try vault.finishAttempt(verdict, passcode, another, judged, in: context, body)
                    case .none:
                        return try vault.finishAttempt(verdict, passcode, stretched, judged, in: context, body)
                    }
                }
            }
        }
    }

    /// Stretches a passcode with the keybag's present salt and cost. The vault is free for other requests meanwhile.
    private func stretchedNow(_ passcode: borrowing SecureBytes) throws(VaultError) -> Stretched {
        let (cost, salt) = try run { ($0.bag.cost, $0.bag.salt) }
        return try inVaultWords { try Stretched(passcode, cost, salt: salt) }
    }
}
