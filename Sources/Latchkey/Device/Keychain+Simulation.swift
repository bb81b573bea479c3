public import AccessPolicy
public import DeviceModel
public import SecretVault
public import SodiumKit
internal import UserPresence

// What only a simulated device lets happen to it when somebody says so. On a real one these things happen by themselves, or
// not at all.

extension Keychain {
    /// Lets something happen to a simulated device, whoever holds it. What needs a passcode or a backup, and what the sensor
    /// has to know of, has a call of its own.
    @discardableResult
    public func simulate(_ event: Event) throws(KeychainError) -> Effects {
        try requireSimulated("an event")
        switch event {
        case .enrolled, .removed, .biometryReset: throw .vault(.eventNeedsProof)
        default: break  // the vault refuses the others
        }
        let effects = try carry { (vault) throws(VaultError) in try vault.apply(event) }
        try forgetSensorIfErased(effects)
        return effects
    }

    /// Lets time pass on a simulated device.
    @discardableResult
    public func advance(by span: TimeSpan) throws(KeychainError) -> Effects { try simulate(.timePassed(span)) }

    /// Removes the passcode of a simulated device, and with it what needs one.
    @discardableResult
    public func removePasscode(_ present: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try requireSimulated("to be without a passcode")
        return try carry { (vault) throws(VaultError) in try vault.removePasscode(present) }
    }

    /// Puts a backup onto a simulated device, which erases it first.
    @discardableResult
    public func restore(from path: String, passphrase: borrowing SecureBytes) throws(KeychainError) -> ImportReport {
        try requireSimulated("to be restored over")
        let (effects, report) = try onVault { (vault) throws(VaultError) in
            try vault.restore(from: path, passphrase: passphrase)
        }
        takeAway(effects)
        try forgetSensorIfErased(effects)
        return report
    }

    func requireSimulated(_ what: String) throws(KeychainError) {
        if isReal { throw .wrongKind("a real vault cannot be told \(what): use a simulated device") }
    }

    /// What was enrolled goes with everything else.
    private func forgetSensorIfErased(_ effects: Effects) throws(KeychainError) {
        guard effects.contains(.eraseAll), let sensor else { return }
        try forgetEverybody(on: sensor)
    }
}
