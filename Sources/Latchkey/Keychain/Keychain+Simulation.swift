public import AccessPolicy
public import DeviceModel
public import SecretVault
public import SodiumKit
internal import UserPresence

// Events that only a simulated device accepts from a caller. On a real device they happen by themselves or not at all.

extension Keychain {
    /// Makes `event` happen to a simulated device, no matter who its present user is.
    ///
    /// Events that need a passcode or a backup, or that change the sensor, have methods of their own.
    ///
    /// - Throws: ``KeychainError/wrongKind(_:)`` if the vault keeps secrets, and ``KeychainError/vault(_:)`` if the
    ///   event has a method of its own.
    @discardableResult
    public func simulate(_ event: Event) throws(KeychainError) -> Effects {
        try requireSimulated("simulating an event")
        switch event {
        case .enrolled, .removed, .biometryReset, .sensorForgot: throw .vault(.eventNeedsAuthentication)
        default: break  // The vault refuses the other events that need authentication.
        }
        let effects = try carry(vault.apply(event))
        try forgetSensorIfErased(effects)
        return effects
    }

    /// Advances the clock of a simulated device.
    @discardableResult
    public func advance(by span: TimeSpan) throws(KeychainError) -> Effects { try simulate(.timePassed(span)) }

    /// Removes the passcode of a simulated device, and with it the items that need one.
    @discardableResult
    public func removePasscode(_ present: borrowing SecureBytes) throws(KeychainError) -> Effects {
        try requireSimulated("removing the passcode")
        return try carry(vault.removePasscode(present))
    }

    /// Erases a simulated device and restores a backup onto it.
    @discardableResult
    public func restore(from path: String, passphrase: borrowing SecureBytes) throws(KeychainError) -> ImportReport {
        try requireSimulated("restoring over the device")
        let (effects, report) = try onVault(vault.restore(from: path, passphrase: passphrase))
        endPrompts(effects)
        try forgetSensorIfErased(effects)
        return report
    }

    /// Writes a backup of the items that may leave a simulated device to a new file.
    package func backUp(
        to path: String, _ protection: borrowing BackupProtection
    ) throws(KeychainError) -> (effects: Effects, report: ExportReport) {
        try requireSimulated("a backup without the passcode")
        return try onVault(vault.export(to: path, protection))
    }

    /// Erases this simulated device and restores a backup onto it; without a passphrase, one that the device itself
    /// sealed.
    package func restore(
        from path: String, sealedUnder passphrase: borrowing SecureBytes?
    ) throws(KeychainError) -> Effects {
        try requireSimulated("restoring over the device")
        let effects =
            switch passphrase {
            case .some(let passphrase): try onVault(vault.restore(from: path, passphrase: passphrase).effects)
            case .none: try onVault(vault.restore(from: path).effects)
            }
        endPrompts(effects)
        try forgetSensorIfErased(effects)
        return effects
    }

    /// Imports the items of a backup into this simulated device, which is empty or another than the one that was backed
    /// up.
    package func bringIn(
        from path: String, sealedUnder passphrase: borrowing SecureBytes?
    ) throws(KeychainError) -> ImportReport {
        try requireSimulated("an import without the passcode")
        return switch passphrase {
        case .some(let passphrase): try onVault(vault.importBackup(from: path, passphrase: passphrase))
        case .none: try onVault(vault.importBackup(from: path))
        }
    }

    /// Moves the companion of a simulated device, pairs it or removes it.
    @discardableResult
    package func place(companion: CompanionState) throws(KeychainError) -> Effects {
        if companion == .notPaired { return try simulate(.companionUnpaired) }
        let paired = try simulate(.companionPaired)
        let moved = try simulate(companion == .away ? .companionAway : .companionNear)
        let locked = try simulate(companion == .ready ? .companionUnlocked : .companionLocked)
        // The companion may already be in part of this state, and an event that changes nothing is refused. One change
        // is enough.
        return [paired, moved, locked].first { $0.refusal == nil } ?? locked
    }

    func requireSimulated(_ what: String) throws(KeychainError) {
        if isReal { throw .wrongKind("\(what) needs a simulated device: this vault keeps secrets") }
    }

    /// Resets the sensor if `effects` erase the device.
    private func forgetSensorIfErased(_ effects: Effects) throws(KeychainError) {
        guard effects.contains(.eraseAll), let sensor else { return }
        try forgetEnrollments(on: sensor)
    }
}
