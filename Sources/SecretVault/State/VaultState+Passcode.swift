internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Sets a passcode on a device that has none.
    mutating func setPasscode(_ passcode: borrowing SecureBytes) throws -> Effects {
        try Self.requirePasscodeLength(passcode)
        // Root, salt and cost come from the keybag that is changed, so no other program may change it in between.
        let store = store
        return try store.locked {
            try refresh()
            let secrets = EventKeys(root: try bag.root(store.fixed), stretch: try Stretched(passcode, bag).key.copy())
            return try happen(.passcodeSet(PasscodeAttempts.first), secrets)
        }
    }

    /// Changes the passcode. The caller has just checked the former one, which goes on opening the vault for a while if
    /// `keepingFormer`.
    mutating func changePasscode(
        _ root: borrowing Key, to next: borrowing SecureBytes, _ stretched: borrowing Stretched, isSame: Bool,
        keepingFormer: Bool
    ) throws -> Effects {
        // No program changes the salt while this one holds the lock of attempts, but another vault may have replaced
        // this one.
        let stretch = stretched.isOf(bag) ? try stretched.key.copy() : try Stretched(next, bag).key.copy()
        let secrets = EventKeys(root: try root.copy(), stretch: stretch)
        let right = device.passcode ?? PasscodeAttempts.first
        // The present passcode has ended an earlier former one. So if there is one, that is what was typed.
        let typed = bag.former?.wrapped ?? bag.root.underPasscode
        let former = keepingFormer ? typed.map { FormerWrap(wrapped: $0, since: device.now.milliseconds) } : nil
        return try happen(.passcodeChanged(isSame ? right : otherPasscode), secrets) { $0.former = former }
    }

    /// Returns true if the recovery key opens the root. This opens no class, and counts as no authentication.
    mutating func isRecoveryKey(_ key: borrowing Key) throws -> Bool {
        try refresh()
        return try Gates.lend(bag.root(recovery: key, store.fixed)) { try checkSettings(with: $0, counts: false) }
            != nil
    }

    /// Sets a new passcode with the recovery key. This opens no class, and counts as no authentication.
    mutating func recover(
        _ key: borrowing Key, to next: borrowing SecureBytes, _ stretched: borrowing Stretched
    ) throws -> Effects {
        let store = store
        return try store.locked {
            try refresh()
            let root = try bag.root(recovery: key, store.fixed)
            guard try Gates.lend(root, { try checkSettings(with: $0, counts: false) }) != nil else {
                throw VaultError.wrongRecoveryKey
            }
            let stretch = stretched.isOf(bag) ? try stretched.key.copy() : try Stretched(next, bag).key.copy()
            let secrets = EventKeys(root: root, stretch: stretch)
            return try happen(.passcodeRecovered(otherPasscode), secrets)
        }
    }

    /// Replaces salt, cost, root and erase key. Class keys, gates and the device's own key stay. Returns a new recovery
    /// key if there was one, because the former key opens only the former root, or if `makesRecoveryKey`.
    mutating func rekey(
        _ root: borrowing Key, stretch: borrowing Key, _ cost: StretchCost, salt: [UInt8], makesRecoveryKey: Bool
    ) throws -> RecoveryKey? {
        var bag = bag
        let next = try Key.random()
        try bag.replaceRoot(root, by: next)
        bag.salt = salt
        bag.cost = cost
        bag.attempts.forgetWrong()
        // The former passcode is wrapped for the former root and salt.
        bag.former = nil
        try bag.wrap(next, stretch: stretch, store.fixed)
        let hasRecoveryKey = makesRecoveryKey || bag.root.underRecovery != nil
        let recovery = hasRecoveryKey ? RecoveryKey(try Key.random()) : nil
        if let recovery { try bag.wrap(next, recovery: recovery.key, store.fixed) }
        let key = try Keybag.settingsKey(next)
        try bag.sealSettings(under: key, after: bag.settingsNumber, vaultID: store.keys.vaultID)
        let mark = try Keybag.mark(ofSettingsKey: key)
        try destroyingTransaction { enclave in
            try enclave.commit(bag, enclave.device, destroying: true)
            enclave.checked = enclave.bag.owner
            if recovery != nil {
                enclave.audit.add(.event, "set-recovery-key", hour: enclave.device.now.milliseconds)
            }
        }
        checkedUnder = mark
        try ring.change { $0.keys.settings = try key.copy() }
        return recovery
    }

    /// A number for a passcode that differs from the present one.
    private var otherPasscode: Passcode {
        device.passcode == PasscodeAttempts.first ? PasscodeAttempts.number(1) : PasscodeAttempts.first
    }
}
