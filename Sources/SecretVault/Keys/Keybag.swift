internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The keys and device state that the database stores: each key wrapped, and everything sealed under the fixed key and
/// the erase key together.
struct Keybag: Sendable {
    /// The wrapped forms of the root.
    struct Root: Equatable, Sendable {
        var underPasscode: [UInt8]?
        var underRecovery: [UInt8]?
        /// The form that needs no passcode; nil while there is a passcode.
        var underFixed: [UInt8]?
    }

    struct ClassKey: Sendable {
        var keyClass = KeyClass.always
        var id: UInt32 = 0
        var box: [UInt8] = []
    }

    struct Gate: Sendable {
        var name = GateName.presence
        var box: [UInt8] = []
    }

    /// True if the vault keeps real secrets. A real vault always has a passcode that is costly to guess.
    var isReal = false
    /// True if a real vault was created to accept a fake sensor. This never changes.
    var hasFakeSensor = false
    /// True if the vault puts every audit record on the disk before it carries out the request.
    var isAuditDurable = false
    /// The number of commits that changed anything in the keybag.
    var generation: UInt64 = 1
    var device = Device.Lasting(DeviceSettings())
    var attempts = PasscodeAttempts()
    var cost = StretchCost.test
    var salt: [UInt8] = []
    var applicationSalt: [UInt8] = []
    var root = Root()
    /// The root under the former passcode, which still opens the vault; nil if only the present one does. It is no part
    /// of ``root``: its end concerns no program that has the vault open.
    var former: FormerWrap?
    var classKeys: [ClassKey] = []
    var gateKey: [UInt8] = []
    var passcodeGate: [UInt8] = []
    var passcodeGatePublic: [UInt8] = []
    var gates: [Gate] = []
    var sensor = SensorRecord()
    /// The machine's clock reading when the device's time was written.
    var clock: ClockMark?
    /// The settings of the program that uses the vault, which the vault keeps without knowing them; empty if there are
    /// none.
    var settings: [UInt8] = []
    /// The number of changes of the settings by the owner, as ``OwnerSettings`` says.
    var settingsNumber: UInt64 = 0
    /// The hour at which the vault last put back settings that a program had changed; see ``OwnerSettings``.
    var settingsPutBack: Int64 = 0
    /// The owner's settings again, sealed under a key of the root. Nothing opens a vault without it.
    var settingsBox: [UInt8] = []

    private static let format: UInt8 = 1

    /// Returns true if a program that knows this keybag may go on with `next`, which another program has written.
    ///
    /// A vault stays real or simulated for its life. Only a rekey replaces the salts or raises the cost, and the root is then
    /// another one. Nothing shows that a lower cost is the owner's before the passcode has opened the root, and then it has
    /// been stretched at that cost already.
    func mayBecome(_ next: Keybag) -> Bool {
        guard next.isReal == isReal, next.cost.rawValue >= cost.rawValue else { return false }
        if next.root != root { return true }
        return (next.cost, next.salt, next.applicationSalt, next.device.passcode)
            == (cost, salt, applicationSalt, device.passcode)
    }

    // MARK: - Sealing

    func sealed(under key: borrowing Key, vaultID: [UInt8]) -> [UInt8] {
        Box.seal(encoded.span.bytes, under: key, context: Self.context(vaultID).span.bytes)
    }

    /// Opens the keybag in `box`. Returns nil if it does not open under `key`.
    static func open(_ box: UnsafeRawBufferPointer, under key: borrowing Key, vaultID: [UInt8]) throws -> Keybag? {
        guard let bytes = try Box.open(box.bytes, under: key, context: context(vaultID).span.bytes) else { return nil }
        return try bytes.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                do { return try Keybag(decoding: bytes) } catch {
                    throw error as? VaultError ?? VaultError.damaged(.keybag)
                }
            }
        }
    }

    /// Returns the bytes that this version would write for the keybag in `box`. Tests of the format use this.
    static func rewritten(
        _ box: UnsafeRawBufferPointer, under key: borrowing Key, vaultID: [UInt8]
    ) throws -> RewrittenBytes? {
        guard let bytes = try Box.open(box.bytes, under: key, context: context(vaultID).span.bytes) else { return nil }
        return try bytes.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                let written = try Keybag(decoding: bytes).encoded
                let again = try written.withUnsafeBytes { try Keybag(decoding: $0).encoded }
                return RewrittenBytes(written: written, again: again)
            }
        }
    }

    private static func context(_ vaultID: [UInt8]) -> [UInt8] { Array("keybag".utf8) + vaultID }

    private var encoded: [UInt8] {
        var (copy, writer) = (self, StoredWriter(reserving: 2048))
        copy.code(with: &writer)
        return writer.written
    }

    private init(decoding bytes: UnsafeRawBufferPointer) throws {
        if let found = bytes.first, found > Self.format {
            throw VaultError.newer("the vault", found: Int(found), known: Int(Self.format))
        }
        self.init()
        var reader = StoredReader(bytes)
        try code(with: &reader)
        try reader.requireEnd()
    }

    /// Creates an empty keybag, to be filled by decoding.
    init() {}

    init(
        isReal: Bool, hasFakeSensor: Bool, isAuditDurable: Bool, settings: [UInt8] = [], device: Device.Lasting,
        cost: StretchCost, fixed: borrowing FixedKeys
    ) throws {
        self.isReal = isReal
        self.hasFakeSensor = hasFakeSensor
        self.isAuditDurable = isAuditDurable
        self.settings = settings
        self.device = device
        self.cost = cost
        salt = Sodium.randomBytes(StretchCost.saltCount)
        applicationSalt = Sodium.randomBytes(StretchCost.saltCount)
        try beginAnew(device, fixed)
    }
}

extension Keybag: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var format = Self.format
        try coder.number("format", &format)
        try coder.require(format == Self.format)
        try coder.flag("isReal", &isReal)
        try coder.flag("hasFakeSensor", &hasFakeSensor)
        try coder.flag("isAuditDurable", &isAuditDurable)
        try coder.number("generation", &generation)
        try coder.value("device", &device)
        // A real vault always has a passcode: a device without one would never lock.
        try coder.require(!isReal || device.passcode != nil)
        try coder.value("attempts", &attempts)
        try coder.choice("cost", &cost)
        try coder.require(!isReal || cost.isEnoughForRealVaults)
        try coder.bytes("salt", &salt)
        try coder.bytes("applicationSalt", &applicationSalt)
        try coder.require(salt.count == StretchCost.saltCount && applicationSalt.count == StretchCost.saltCount)
        try codeRoot(with: &coder)
        try coder.list("classKeys", &classKeys, countedBy: UInt8.self, blank: ClassKey())
        try coder.bytes("gateKey", &gateKey)
        try coder.bytes("passcodeGate", &passcodeGate)
        try coder.bytes("passcodeGatePublic", &passcodeGatePublic)
        try coder.list("gates", &gates, countedBy: UInt16.self, blank: Gate())
        try coder.value("sensor", &sensor)
        var mark = clock ?? .none
        try coder.value("clock", &mark)
        clock = mark.boot.isEmpty ? nil : mark
        try codeFormer(with: &coder)
        try coder.number("settingsNumber", &settingsNumber)
        try coder.number("settingsPutBack", &settingsPutBack)
        try coder.bytes("settings", &settings)
        try coder.bytes("settingsBox", &settingsBox)
        // Without the owner's settings under a key of the root, nothing shows what the owner chose.
        try coder.require(settingsBox.count > Box.overhead)
    }

    private mutating func codeFormer<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var hasFormer = former != nil
        try coder.flag("former", &hasFormer)
        guard hasFormer else {
            former = nil
            return
        }
        var kept = former ?? FormerWrap()
        try coder.value("former", &kept)
        former = kept
    }

    private mutating func codeRoot<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try Self.code(box: &root.underPasscode, with: &coder)
        try Self.code(box: &root.underRecovery, with: &coder)
        try Self.code(box: &root.underFixed, with: &coder)
        // A root that needs no passcode, in a real vault or beside one that does, is another program's.
        try coder.require(root.underFixed == nil || (root.underPasscode == nil && !isReal))
    }

    /// Reads or writes a wrapped root. An empty box stands for none.
    private static func code<Coder: StoredCoder>(
        box: inout [UInt8]?, with coder: inout Coder
    ) throws(Coder.Failure) {
        var bytes = box ?? []
        try coder.bytes("root", &bytes)
        box = bytes.isEmpty ? nil : bytes
    }
}

extension Keybag.ClassKey: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("keyClass", &keyClass)
        try coder.number("id", &id)
        try coder.bytes("box", &box)
    }
}

extension Keybag.Gate: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.value("name", &name)
        try coder.bytes("box", &box)
    }
}
