internal import AccessPolicy
public import DeviceModel
public import SodiumKit

/// The options for a new vault. Most of them cannot be changed afterwards.
public struct VaultOptions: Sendable {
    /// The purpose of a vault. It never changes.
    public enum Kind: Sendable {
        /// A vault for real secrets. It always has a passcode, which is costly to guess.
        case real
        /// A vault that simulates a device, for tests.
        case simulated
    }

    /// The purpose of the vault.
    public var kind: Kind
    /// The cost of one guess of the passcode.
    public var cost: StretchCost
    /// The settings of the device to which the vault belongs.
    public var device: DeviceSettings
    /// True if the vault has a recovery key, which sets a new passcode after the owner has forgotten the present one.
    public var hasRecoveryKey: Bool
    /// True if a real vault accepts a fake sensor, which any user can operate. The vault shows this for as long as it
    /// exists.
    public var allowsFakeSensor: Bool
    /// True if the vault puts every audit record on the disk before it answers the caller. A read then takes as long as
    /// a write. Otherwise, a sudden end may lose the records of the last second.
    public var hasDurableAudit = false
    /// The size to which the audit log may grow, in bytes. Older records move to the archive first, and are deleted
    /// later; see ``AuditSize``.
    public var auditLimit = AuditSize.usual
    /// True if a vault in memory keeps an audit log too.
    package var isAuditedInMemory = false
    /// The settings of the program that uses the vault, sealed with its keys; see ``Vault/settings``.
    package var settings: [UInt8] = []
    /// The longest time to wait for other programs that write to the vault, in milliseconds.
    public var patience: Int32 = 10_000
    /// The clock of a real vault; nil for the machine's own clock.
    package var clock: VaultClock?
    /// SQLite's page size.
    package var pageSize = 8192

    /// Options for a vault that keeps real secrets: no lock grace, no erasing after wrong passcodes, and a recovery
    /// key.
    public static func real(cost: StretchCost = .moderate, sensor: SensorKind = .none) -> Self {
        var device = DeviceSettings(sensor: sensor, lockGrace: .zero, attemptEnd: .keepsDelaying)
        // It is not known for certain what a full reset of the sensor does, so a vault for real secrets takes the
        // stricter answer.
        device.fidelity.sensorReset = .replacesSensor
        return Self(kind: .real, cost: cost, device: device, hasRecoveryKey: true, allowsFakeSensor: false)
    }

    /// Options for a vault that simulates this device. Its passcode is cheap to guess, so it is fast.
    public static func simulated(_ device: DeviceSettings = DeviceSettings()) -> Self {
        Self(kind: .simulated, cost: .test, device: device, hasRecoveryKey: false, allowsFakeSensor: true)
    }

    func requireSound(hasPasscode: Bool) throws(VaultError) {
        if !AuditSize.range.contains(auditLimit) { throw .auditSize(auditLimit) }
        guard kind == .real else { return }
        if !hasPasscode { throw .realVault(.passcode) }
        if !cost.isEnoughForRealVaults { throw .realVault(.cost) }
    }
}
