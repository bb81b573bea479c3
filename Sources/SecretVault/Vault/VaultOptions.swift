internal import AccessPolicy
public import DeviceModel
public import SodiumKit

/// How a vault is made. Most of it cannot be changed afterwards.
public struct VaultOptions: Sendable {
    /// Whether it keeps secrets, or plays a device in a test. A vault is one or the other from birth.
    public enum Kind: Sendable {
        /// It keeps secrets: it has a passcode that costs something to guess.
        case real
        /// It plays a device.
        case simulated
    }

    /// What it is for.
    public var kind: Kind
    /// What a guess of the passcode costs.
    public var cost: StretchCost
    /// The device it belongs to.
    public var device: DeviceSettings
    /// True if a recovery key is made, that sets a new passcode when the present one is forgotten.
    public var hasRecoveryKey: Bool
    /// True if a real vault may be opened by a sensor that anybody can fake. It says so ever after.
    public var allowsFakeSensor: Bool
    /// True if every record of the audit log is on the disk before the caller gets the answer. A read then takes as long as a
    /// write; otherwise a sudden end may lose the records of its last second.
    public var hasDurableAudit = false
    /// How many bytes the audit log may grow to. Older records go first to the archive, and then away; see ``AuditSize``.
    public var auditLimit = AuditSize.usual
    /// How long to wait for other programs that write to the vault, in milliseconds.
    public var patience: Int32 = 10_000
    /// How time goes for a real vault; nil for the machine's own clock.
    package var clock: VaultClock?
    /// The schema to begin with; less than the newest only to try migrations.
    package var schema: Int?
    /// SQLite's page size.
    package var pageSize = 8192

    /// A vault for secrets: no lock grace, no erasing after wrong passcodes, a recovery key.
    public static func real(cost: StretchCost = .moderate, sensor: SensorKind = .none) -> Self {
        var device = DeviceSettings(sensor: sensor, lockGrace: .zero, attemptEnd: .keepsDelaying)
        // It is disputed what a full reset of the sensor does: where secrets are kept, the stricter answer holds.
        device.fidelity.sensorReset = .replacesSensor
        return Self(kind: .real, cost: cost, device: device, hasRecoveryKey: true, allowsFakeSensor: false)
    }

    /// A vault that plays this device, as fast as can be.
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
