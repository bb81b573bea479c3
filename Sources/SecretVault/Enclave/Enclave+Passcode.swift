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
            let secrets = EventKeys(root: try bag.root(fixed), stretch: try Stretched(passcode, bag).key.copy())
            return try happen(.passcodeSet(Self.firstPasscode), secrets)
        }
    }

    /// Changes the passcode; the present one is judged like any other attempt.
    mutating func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes
    ) throws -> Effects {
        try Self.requirePasscodeLength(next)
        let isSame = present.equals(next)
        return try judge(present) { enclave, root, effects in
            switch root {
            case .none: return effects
            case .some(let root):
                let secrets = EventKeys(root: try root.copy(), stretch: try Stretched(next, enclave.bag).key.copy())
                let right = enclave.device.passcode ?? Self.firstPasscode
                return try enclave.happen(.passcodeChanged(isSame ? right : enclave.otherPasscode), secrets)
            }
        }
    }

    /// Removes the passcode; the present one is judged like any other attempt. A real vault always has one.
    mutating func removePasscode(_ present: borrowing SecureBytes) throws -> Effects {
        if bag.isReal { throw VaultError.realVault(.passcode) }
        return try judge(present) { enclave, root, effects in
            switch root {
            case .none: effects
            case .some(let root): try enclave.happen(.passcodeRemoved, EventKeys(root: try root.copy()))
            }
        }
    }

    /// Sets another passcode by the recovery key. It opens nothing, and proves nothing.
    mutating func recover(_ key: borrowing Key, to next: borrowing SecureBytes) throws -> Effects {
        try Self.requirePasscodeLength(next)
        let store = store
        return try store.locked {
            try refresh()
            let root = try bag.root(recovery: key, fixed)
            guard Gates.isThere(root) else { throw VaultError.wrongRecoveryKey }
            let secrets = EventKeys(root: root, stretch: try Stretched(next, bag).key.copy())
            return try happen(.passcodeRecovered(otherPasscode), secrets)
        }
    }

    /// New salt, cost, root and erase key; class keys, gates and the device's own key stay. Gives a new recovery key where
    /// there was one, since the former opens the former root.
    mutating func rekey(_ passcode: borrowing SecureBytes, cost: StretchCost?) throws -> (Effects, RecoveryKey?) {
        let cost = cost ?? bag.cost
        if bag.isReal && !cost.isEnoughForRealVaults { throw VaultError.realVault(.cost) }
        let salt = Sodium.randomBytes(StretchCost.saltCount)
        let stretch = try cost.stretch(passcode, salt: salt)
        return try judge(passcode) { enclave, root, effects in
            switch root {
            case .none: return (effects, nil)
            case .some(let root):
                var bag = enclave.bag
                let next = try Key.random()
                try bag.replaceRoot(root, by: next)
                bag.salt = salt
                bag.cost = cost
                bag.forgetWrongPasscodes()
                try bag.wrap(next, stretch: stretch, enclave.fixed)
                let recovery = bag.root.underRecovery == nil ? nil : RecoveryKey(try Key.random())
                if let recovery { try bag.wrap(next, recovery: recovery.key, enclave.fixed) }
                try enclave.destroyingTransaction { enclave in
                    try enclave.commit(bag, enclave.device, destroying: true)
                }
                return (effects, recovery)
            }
        }
    }

    /// The number of a passcode that is not the present one.
    private var otherPasscode: Passcode {
        device.passcode == Self.firstPasscode ? Self.number(1) : Self.firstPasscode
    }
}
