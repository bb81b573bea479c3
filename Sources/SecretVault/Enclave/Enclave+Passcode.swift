internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Sets a passcode where there is none.
    mutating func setPasscode(_ passcode: borrowing SecureBytes) throws -> Effects {
        try Self.requirePasscodeLength(passcode)
        // Root, salt and cost are those of the keybag that is changed: nobody else may change it before that is done.
        let store = store
        return try store.locked {
            try refresh()
            let secrets = EventKeys(root: try bag.root(store.fixed), stretch: try Stretched(passcode, bag).key.copy())
            return try happen(.passcodeSet(PasscodeAttempts.first), secrets)
        }
    }

    /// Changes the passcode, which somebody has just shown to know.
    mutating func changePasscode(
        _ root: borrowing Key, to next: borrowing SecureBytes, _ stretched: borrowing Stretched, isSame: Bool
    ) throws -> Effects {
        // Nobody changes the salt as long as the lock of attempts is held; a vault that was put in this one's place might.
        let stretch = stretched.isOf(bag) ? try stretched.key.copy() : try Stretched(next, bag).key.copy()
        let secrets = EventKeys(root: try root.copy(), stretch: stretch)
        let right = device.passcode ?? PasscodeAttempts.first
        return try happen(.passcodeChanged(isSame ? right : otherPasscode), secrets)
    }

    /// Sets another passcode by the recovery key. It opens nothing, and proves nothing.
    mutating func recover(
        _ key: borrowing Key, to next: borrowing SecureBytes, _ stretched: borrowing Stretched
    ) throws -> Effects {
        let store = store
        return try store.locked {
            try refresh()
            let root = try bag.root(recovery: key, store.fixed)
            guard Gates.isThere(root) else { throw VaultError.wrongRecoveryKey }
            let stretch = stretched.isOf(bag) ? try stretched.key.copy() : try Stretched(next, bag).key.copy()
            let secrets = EventKeys(root: root, stretch: stretch)
            return try happen(.passcodeRecovered(otherPasscode), secrets)
        }
    }

    /// New salt, cost, root and erase key; class keys, gates and the device's own key stay. Gives a new recovery key where
    /// there was one, since the former opens the former root.
    mutating func rekey(
        _ root: borrowing Key, stretch: borrowing Key, _ cost: StretchCost, salt: [UInt8]
    ) throws -> RecoveryKey? {
        var bag = bag
        let next = try Key.random()
        try bag.replaceRoot(root, by: next)
        bag.salt = salt
        bag.cost = cost
        bag.attempts.forgetWrong()
        try bag.wrap(next, stretch: stretch, store.fixed)
        let recovery = bag.root.underRecovery == nil ? nil : RecoveryKey(try Key.random())
        if let recovery { try bag.wrap(next, recovery: recovery.key, store.fixed) }
        try destroyingTransaction { enclave in try enclave.commit(bag, enclave.device, destroying: true) }
        return recovery
    }

    /// The number of a passcode that is not the present one.
    private var otherPasscode: Passcode {
        device.passcode == PasscodeAttempts.first ? PasscodeAttempts.number(1) : PasscodeAttempts.first
    }
}
