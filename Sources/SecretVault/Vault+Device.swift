public import AccessPolicy
public import DeviceModel
public import SodiumKit

extension Vault {
    /// The device as it is now.
    public var device: Device {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                return enclave.device
            }
        }
    }

    /// What deciding would be told now.
    public func conditions(for caller: Caller) throws(VaultError) -> Conditions {
        try run { enclave in
            try enclave.refresh()
            return enclave.conditions(for: caller)
        }
    }

    /// Judges a passcode by whether it opens the keys. A right one unlocks the device, and proves the passcode in `context`.
    ///
    /// This is the judgement of the keys alone. Whoever has another judge to ask, such as PAM, asks that one first.
    @discardableResult
    public func enter(
        passcode: borrowing SecureBytes, in context: VaultContext? = nil
    ) throws(VaultError) -> Effects {
        try run(in: context) { try $0.enter(passcode, in: context == nil ? nil : $1) }
    }

    /// Sets a passcode where there is none.
    @discardableResult
    public func setPasscode(_ passcode: borrowing SecureBytes) throws(VaultError) -> Effects {
        try run { try $0.setPasscode(passcode) }
    }

    /// Changes the passcode. The present one is judged like any attempt; a wrong one counts, and changes nothing.
    @discardableResult
    public func changePasscode(
        from present: borrowing SecureBytes, to next: borrowing SecureBytes
    ) throws(VaultError) -> Effects {
        try run { try $0.changePasscode(from: present, to: next) }
    }

    /// Removes the passcode of a simulated device, and with it what needs one.
    @discardableResult
    public func removePasscode(_ present: borrowing SecureBytes) throws(VaultError) -> Effects {
        try run { try $0.removePasscode(present) }
    }

    /// Sets another passcode by the recovery key, which proves and opens nothing.
    @discardableResult
    public func recover(with key: RecoveryKey, to next: borrowing SecureBytes) throws(VaultError) -> Effects {
        try run { try $0.recover(key.key, to: next) }
    }

    /// Takes new salt, cost and root. The new recovery key, where there was one; nothing, and the effects of a wrong attempt,
    /// when the passcode is wrong.
    public func rekey(
        _ passcode: borrowing SecureBytes, cost: StretchCost? = nil
    ) throws(VaultError) -> (effects: Effects, recovery: RecoveryKey?) {
        try run { try $0.rekey(passcode, cost: cost) }
    }

    /// Lets time pass on the device. The vault has no clock: whoever uses it says how the time goes, and a delay after wrong
    /// passcodes ends no sooner than that.
    @discardableResult
    public func pass(_ span: TimeSpan) throws(VaultError) -> Effects { try apply(.timePassed(span)) }

    /// Locks the device.
    @discardableResult
    public func lock() throws(VaultError) -> Effects { try apply(.lock) }

    /// Lets something happen to the device that needs nothing but to be told. What needs a passcode or a judge's result
    /// has a call of its own.
    @discardableResult
    package func apply(_ event: Event) throws(VaultError) -> Effects {
        switch event {
        case .passcodeEntered, .passcodeSet, .passcodeChanged, .passcodeRemoved, .passcodeRecovered, .presented,
            .backupTaken, .restoredOntoThisDevice, .restoredOntoAnotherDevice:
            throw .eventNeedsProof
        case .reboot, .lock, .timePassed, .enrolled, .removed, .biometryReset, .companionPaired, .companionUnpaired,
            .companionNear, .companionAway, .companionUnlocked, .companionLocked, .appInstalled, .appRemoved,
            .biometryPermitted, .biometryDenied, .remoteLock, .emergency, .erase:
            return try run { enclave in
                // Erasing takes the passcode away, and a real vault always has one: it ends by deleting its folder.
                if event == .erase && enclave.bag.isReal { throw VaultError.realVault(.passcode) }
                return try enclave.happen(event, EventKeys())
            }
        }
    }

    /// Takes in a judge's result. With a context, what was proved counts there.
    @discardableResult
    package func take(_ proof: Proof, in context: VaultContext? = nil) throws(VaultError) -> Effects {
        try run(in: context) { enclave, state in
            switch proof.result {
            case .presented(let finger): return try enclave.present(finger, in: context == nil ? nil : state)
            case .confirmedByCompanion:
                let isConfirmed = try enclave.confirmByCompanion(in: context == nil ? ContextState() : state)
                return Effects(isConfirmed ? .proved(.companion) : .rejected(.companion))
            }
        }
    }
}

/// A judge's result. Only what has asked a judge can make one; gates are released against nothing else.
package struct Proof: Sendable {
    enum Result: Sendable {
        case presented(Finger)
        case confirmedByCompanion
    }

    let result: Result

    /// The sensor was shown this finger; whether it is an enrolled one, the device says.
    package static func presented(_ finger: Finger) -> Self { Self(result: .presented(finger)) }
    /// The companion has confirmed.
    package static let confirmedByCompanion = Self(result: .confirmedByCompanion)
}
