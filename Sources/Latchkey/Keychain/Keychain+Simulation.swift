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
        case .enrolled, .removed, .biometryReset, .sensorForgot: throw .vault(.eventNeedsAuthentication)
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
        endPrompts(effects)
        try forgetSensorIfErased(effects)
        return report
    }

    /// Writes what may leave a simulated device into a new file at `path`.
    package func backUp(
        to path: String, _ protection: borrowing BackupProtection
    ) throws(KeychainError) -> (effects: Effects, report: ExportReport) {
        try requireSimulated("to be backed up so")
        return try onVault { (vault) throws(VaultError) in try vault.export(to: path, protection) }
    }

    /// Puts a backup onto this simulated device, which erases it first; without a passphrase one that it has sealed itself.
    package func restore(
        from path: String, sealedUnder passphrase: borrowing SecureBytes?
    ) throws(KeychainError) -> Effects {
        try requireSimulated("to be restored over")
        let effects = try onVault { (vault) throws(VaultError) in
            switch passphrase {
            case .some(let passphrase): try vault.restore(from: path, passphrase: passphrase).effects
            case .none: try vault.restore(from: path).effects
            }
        }
        endPrompts(effects)
        try forgetSensorIfErased(effects)
        return effects
    }

    /// Brings the items of a backup into this simulated device, which is another than the one it is of, or is empty.
    package func bringIn(
        from path: String, sealedUnder passphrase: borrowing SecureBytes?
    ) throws(KeychainError) -> ImportReport {
        try requireSimulated("to take in a backup so")
        return try onVault { (vault) throws(VaultError) in
            switch passphrase {
            case .some(let passphrase): try vault.importBackup(from: path, passphrase: passphrase)
            case .none: try vault.importBackup(from: path)
            }
        }
    }

    /// Puts the companion of a simulated device somewhere, or takes it away.
    @discardableResult
    package func place(companion: CompanionState) throws(KeychainError) -> Effects {
        if companion == .notPaired { return try simulate(.companionUnpaired) }
        let paired = try simulate(.companionPaired)
        let moved = try simulate(companion == .away ? .companionAway : .companionNear)
        let locked = try simulate(companion == .ready ? .companionUnlocked : .companionLocked)
        // Some of it may have been so already; what changes nothing at all is refused.
        return [paired, moved, locked].first { $0.refusal == nil } ?? locked
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
