internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// What the database keeps of keys and device: every key wrapped, and the whole sealed under fixed and erase key together.
struct Keybag: Sendable {
    /// The root, wrapped.
    struct Root: Equatable, Sendable {
        var underPasscode: Wrapped?
        var underRecovery: Wrapped?
        /// While there is no passcode.
        var underFixed: [UInt8]?
    }

    /// The root, wrapped under the passcode or the recovery key. The first two formats did not commit to the key.
    enum Wrapped: Equatable, Sendable {
        case plain([UInt8])
        case committed([UInt8])

        /// True if it opens only under the key that sealed it.
        var isCommitted: Bool {
            switch self {
            case .plain: false
            case .committed: true
            }
        }
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

    /// True if it keeps real secrets: then it has a passcode that costs something to guess, and no sensor that is a fake.
    var isReal = false
    /// True if a real vault was made with a fake sensor, and says so ever after.
    var hasFakeSensor = false
    /// True if every record of the audit trail is on the disk before what it records is done.
    var isAuditDurable = false
    /// Counts the commits that changed anything in here.
    var generation: UInt64 = 1
    var device = Device.Lasting(DeviceSettings())
    var attempts = PasscodeAttempts()
    var cost = StretchCost.test
    var salt: [UInt8] = []
    var applicationSalt: [UInt8] = []
    var root = Root()
    var classKeys: [ClassKey] = []
    var gateKey: [UInt8] = []
    var passcodeGate: [UInt8] = []
    var passcodeGatePublic: [UInt8] = []
    var gates: [Gate] = []
    var sensor = SensorRecord()
    /// When the device's hour was written, as the machine counts.
    var clock: ClockMark?
    /// Which format it lies in. It is always written in the present one.
    var format = Self.format

    /// The first format knew neither sensors nor a clock, the second no box that commits to its key; both are still read. A
    /// version that does not know the present one refuses the vault as a newer one, and so never meets a row that it does not
    /// know either.
    static let format: UInt8 = 3

    /// True if an earlier version would still open it.
    var isOfEarlierFormat: Bool { format < Self.format }

    // MARK: - Sealing

    func sealed(under key: borrowing Key, vaultID: [UInt8]) -> [UInt8] {
        Box.seal(encoded.span.bytes, under: key, context: Self.context(vaultID).span.bytes)
    }

    /// The keybag in `box`; nil when it does not open under `key`.
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

    /// Returns the bytes that this version writes of those in `box`, for tests of the format.
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
        copy.format = Self.format
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

    /// A keybag before it is read.
    init() {}

    init(
        isReal: Bool, hasFakeSensor: Bool, isAuditDurable: Bool, device: Device.Lasting, cost: StretchCost,
        fixed: borrowing FixedKeys
    ) throws {
        self.isReal = isReal
        self.hasFakeSensor = hasFakeSensor
        self.isAuditDurable = isAuditDurable
        self.device = device
        self.cost = cost
        salt = Sodium.randomBytes(StretchCost.saltCount)
        applicationSalt = Sodium.randomBytes(StretchCost.saltCount)
        try beginAnew(device, fixed)
    }
}

extension Keybag: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("format", &format)
        try coder.require((1...Self.format).contains(format))
        try coder.flag("isReal", &isReal)
        try coder.flag("hasFakeSensor", &hasFakeSensor)
        try coder.flag("isAuditDurable", &isAuditDurable)
        try coder.number("generation", &generation)
        try coder.value("device", &device)
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
        // The first format knew neither.
        guard format >= 2 else { return }
        try coder.value("sensor", &sensor)
        var mark = clock ?? .none
        try coder.value("clock", &mark)
        clock = mark.boot.isEmpty ? nil : mark
    }

    private mutating func codeRoot<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try Wrapped.code(&root.underPasscode, ofFormat: format, with: &coder)
        try Wrapped.code(&root.underRecovery, ofFormat: format, with: &coder)
        var underFixed = root.underFixed ?? []
        try coder.bytes("root", &underFixed)
        root.underFixed = underFixed.isEmpty ? nil : underFixed
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

extension Keybag.Wrapped {
    private static let plainNumber: UInt8 = 1
    private static let committedNumber: UInt8 = 2

    /// Before the third format there was but one form, and an empty box for none.
    fileprivate static func code<Coder: StoredCoder>(
        _ wrapped: inout Self?, ofFormat format: UInt8, with coder: inout Coder
    ) throws(Coder.Failure) {
        var (number, box): (UInt8, [UInt8]) =
            switch wrapped {
            case .none: (0, [])
            case .plain(let box): (plainNumber, box)
            case .committed(let box): (committedNumber, box)
            }
        if format >= 3 { try coder.number("root", &number) }
        if format < 3 || number != 0 { try coder.bytes("root", &box) }
        guard Coder.reads else { return }
        if format < 3 { number = box.isEmpty ? 0 : plainNumber }
        try coder.require(number <= committedNumber)
        wrapped = number == 0 ? nil : number == plainNumber ? .plain(box) : .committed(box)
    }
}
