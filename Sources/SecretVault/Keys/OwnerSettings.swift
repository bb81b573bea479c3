internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The part of a keybag that only the owner of the vault changes: what the vault is, and the settings.
///
/// The keys of the device file open the keybag, and any program of the user reads that file. So the keybag has this part
/// twice: in clear, for use while the vault is locked, and in a box under a key of the root. Each time the root is open,
/// the two are compared.
struct OwnerSettings: Equatable, Sendable {
    /// The number of changes by the owner so far.
    var number: UInt64 = 0
    /// True if the vault keeps real secrets.
    var isReal = false
    /// True if a real vault was created to accept a fake sensor.
    var hasFakeSensor = false
    /// True if the vault puts every audit record on the disk before it carries out the request.
    var isAuditDurable = false
    /// The cost and the salt at which the passcode is stretched.
    var cost = StretchCost.test
    var salt: [UInt8] = []
    var applicationSalt: [UInt8] = []
    var device = DeviceSettings()
    /// The public half of the passcode gate, for which new items are encrypted.
    var passcodeGate: [UInt8] = []
    /// The settings of the program that uses the vault.
    var settings: [UInt8] = []
    /// The hour at which the vault last put these back after a program had changed them, in milliseconds; 0 if it did
    /// not since the owner's last change.
    var putBack: Int64 = 0
}

extension OwnerSettings: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.flag("isReal", &isReal)
        try coder.flag("hasFakeSensor", &hasFakeSensor)
        try coder.flag("isAuditDurable", &isAuditDurable)
        try coder.choice("cost", &cost)
        try coder.bytes("salt", &salt)
        try coder.bytes("applicationSalt", &applicationSalt)
        try coder.choice("device", &device.sensor)
        try coder.number("device", &device.lockGrace.milliseconds)
        try coder.choice("device", &device.attemptEnd)
        try coder.value("device", &device.fidelity)
        try coder.flag("device", &device.stolenDeviceProtection)
        try coder.bytes("passcodeGate", &passcodeGate)
        try coder.bytes("settings", &settings)
        try coder.number("putBack", &putBack)
    }

    /// The names of the parts that differ from those of `other`, except for the settings of the program.
    func differences(from other: OwnerSettings) -> [String] {
        var names: [String] = []
        if isReal != other.isReal { names.append("kind of the vault") }
        if hasFakeSensor != other.hasFakeSensor { names.append("fake sensor") }
        if isAuditDurable != other.isAuditDurable { names.append("durable-log") }
        if cost != other.cost { names.append("cost of the passcode") }
        if (salt, applicationSalt) != (other.salt, other.applicationSalt) { names.append("salt") }
        if device != other.device { names.append("device") }
        if passcodeGate != other.passcodeGate { names.append("passcode gate") }
        if number != other.number && names.isEmpty && settings == other.settings { names.append("number of changes") }
        return names
    }
}

/// The result of comparing the settings with their copy under a key of the root.
enum SettingsVerdict {
    /// They are what the owner chose last.
    case genuine
    /// Another program changed them, or put older ones back. These are the owner's.
    case changed(OwnerSettings)
    /// Another program changed the copy, so the owner's settings are unknown.
    case unknown
}

extension Keybag {
    /// The part that only the owner changes. Setting it does not seal it.
    var owner: OwnerSettings {
        get {
            OwnerSettings(
                number: settingsNumber, isReal: isReal, hasFakeSensor: hasFakeSensor, isAuditDurable: isAuditDurable,
                cost: cost, salt: salt, applicationSalt: applicationSalt, device: device.settings,
                passcodeGate: passcodeGatePublic, settings: settings, putBack: settingsPutBack)
        }
        set {
            settingsNumber = newValue.number
            (isReal, hasFakeSensor) = (newValue.isReal, newValue.hasFakeSensor)
            isAuditDurable = newValue.isAuditDurable
            (cost, salt, applicationSalt) = (newValue.cost, newValue.salt, newValue.applicationSalt)
            device.settings = newValue.device
            passcodeGatePublic = newValue.passcodeGate
            settings = newValue.settings
            settingsPutBack = newValue.putBack
        }
    }

    private static func context(_ vaultID: [UInt8]) -> [UInt8] { Array("settings".utf8) + vaultID }

    /// Returns the key under which the owner's settings are sealed.
    static func settingsKey(_ root: borrowing Key) throws -> Key {
        var hash = try KeyedHash(root)
        hash.add("settings".utf8Span.span.bytes)
        return try hash.key()
    }

    /// Returns a value that tells this key from others, and tells nothing about it.
    static func mark(ofSettingsKey key: borrowing Key) throws -> [UInt8] {
        var hash = try KeyedHash(key)
        hash.add("mark".utf8Span.span.bytes)
        return hash.bytes()
    }

    /// Seals the owner's settings as they are now, as another change after `last`.
    mutating func sealSettings(under key: borrowing Key, after last: UInt64, vaultID: [UInt8]) throws {
        guard last < .max else { throw VaultError.damaged(.keybag) }
        settingsNumber = last + 1
        var (owner, writer) = (owner, StoredWriter())
        owner.code(with: &writer)
        settingsBox = Box.seal(writer.written.span.bytes, under: key, context: Self.context(vaultID).span.bytes)
    }

    /// Seals the owner's settings under the root of a device that was erased, which needs no passcode.
    mutating func sealSettingsAnew(_ store: Store) throws {
        switch try root(store.fixed) {
        case .some(let root):
            try sealSettings(
                under: try Self.settingsKey(root), after: settingsNumber, vaultID: store.keys.vaultID)
        case .none: throw VaultError.damaged(.keybag)
        }
    }

    /// Returns the owner's settings from their box; nil if it was not sealed under this key.
    func sealedSettings(under key: borrowing Key, vaultID: [UInt8]) throws -> OwnerSettings? {
        let context = Self.context(vaultID)
        guard let bytes = try Box.open(settingsBox.span.bytes, under: key, context: context.span.bytes) else {
            return nil
        }
        return bytes.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                var (owner, reader) = (OwnerSettings(), StoredReader(bytes))
                do {
                    try owner.code(with: &reader)
                    try reader.requireEnd()
                } catch { return nil }
                return owner
            }
        }
    }

    /// Compares the owner's settings with their box. `last` are those that this program has seen last.
    func settingsVerdict(
        under key: borrowing Key, since last: OwnerSettings?, vaultID: [UInt8]
    ) throws -> SettingsVerdict {
        guard let sealed = try sealedSettings(under: key, vaultID: vaultID) else {
            return last.map { .changed($0) } ?? .unknown
        }
        if let last, sealed.number < last.number { return .changed(last) }
        return sealed == owner ? .genuine : .changed(sealed)
    }
}

extension SettingsChange {
    init(found: OwnerSettings, owner: OwnerSettings) {
        self.init(found: found.settings, owner: owner.settings, names: found.differences(from: owner))
    }
}
