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

    /// The root under what somebody types. The first two formats did not commit to the key.
    enum Wrapped: Equatable, Sendable {
        case plain([UInt8])
        case committed([UInt8])

        /// Whether it opens under no key but the one that it was sealed under.
        var isCommitted: Bool {
            switch self {
            case .plain: false
            case .committed: true
            }
        }
    }

    struct ClassKey: Sendable {
        var keyClass: KeyClass
        var id: UInt32
        var box: [UInt8]
    }

    struct Gate: Sendable {
        var name: GateName
        var box: [UInt8]
    }

    /// Whether it keeps real secrets: then it has a passcode that costs something to guess, and no sensor that is a fake.
    var isReal: Bool
    /// Whether a real vault was made with a fake sensor, and says so ever after.
    var hasFakeSensor: Bool
    /// Whether every record of the audit trail is on the disk before what it records is done.
    var isAuditDurable: Bool
    /// Counts the commits that changed anything in here.
    var generation: UInt64
    var device: Device.Lasting
    /// The wrong passcodes since the last right one, each by a keyed hash of what it stretches to.
    var wrongPasscodes: [Tag]
    /// Where the next goes when there is no room for another.
    var nextWrong: UInt8
    /// The passcode that is being judged: one that is found here under the lock was never told right from wrong.
    var pendingAttempt: Tag?
    var cost: StretchCost
    var salt: [UInt8]
    var applicationSalt: [UInt8]
    var root: Root
    var classKeys: [ClassKey]
    var gateKey: [UInt8]
    var passcodeGate: [UInt8]
    var passcodeGatePublic: [UInt8]
    var gates: [Gate]
    /// The sensor whose enrolments the device has, once there is one.
    var sensor: KnownSensor?
    /// What a fake sensor remembers, in its own words.
    var fakeSensor: [UInt8] = []
    /// When the device's hour was written, as the machine counts.
    var clock: ClockMark?
    /// Which format it lies in. It is always written in the present one.
    var format = Self.format

    /// The first format knew neither sensors nor a clock, the second no box that commits to its key; both are still read. A
    /// version that does not know the present one refuses the vault as a newer one, and so never meets a row that it does not
    /// know either.
    static let format: UInt8 = 3

    /// Whether a version before this one would still open it.
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

    /// What this version writes of the bytes in `box`, for tests of the format.
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2048)
        bytes.write(Self.format)
        bytes.write(isReal ? 1 : 0 as UInt8)
        bytes.write(hasFakeSensor ? 1 : 0 as UInt8)
        bytes.write(isAuditDurable ? 1 : 0 as UInt8)
        bytes.write(generation)
        device.write(to: &bytes)
        bytes.write(UInt8(wrongPasscodes.count))
        for tag in wrongPasscodes { bytes.write(tag) }
        bytes.write(nextWrong)
        bytes.write(pendingAttempt == nil ? 0 : 1 as UInt8)
        bytes.write(pendingAttempt ?? .none)
        bytes.write(cost.rawValue)
        bytes.write(salt)
        bytes.write(applicationSalt)
        Wrapped.write(root.underPasscode, to: &bytes)
        Wrapped.write(root.underRecovery, to: &bytes)
        bytes.write(root.underFixed ?? [])
        bytes.write(UInt8(classKeys.count))
        for key in classKeys {
            bytes.write(key.keyClass.rawValue)
            bytes.write(key.id)
            bytes.write(key.box)
        }
        bytes.write(gateKey)
        bytes.write(passcodeGate)
        bytes.write(passcodeGatePublic)
        bytes.write(UInt16(gates.count))
        for gate in gates {
            gate.name.write(to: &bytes)
            bytes.write(gate.box)
        }
        KnownSensor.write(sensor, to: &bytes)
        bytes.write(fakeSensor)
        ClockMark.write(clock, to: &bytes)
        return bytes
    }

    private init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        format = try reader.number()
        if format > Self.format {
            throw VaultError.newer("the vault", found: Int(format), known: Int(Self.format))
        }
        guard format >= 1 else { throw ByteReader.Malformed() }
        isReal = try reader.bool()
        hasFakeSensor = try reader.bool()
        isAuditDurable = try reader.bool()
        generation = try reader.number()
        device = try Device.Lasting(from: &reader)
        wrongPasscodes = []
        for _ in 0..<(try reader.number(UInt8.self)) { wrongPasscodes.append(try reader.tag()) }
        nextWrong = try reader.number()
        let hasPending = try reader.bool()
        let pending = try reader.tag()
        pendingAttempt = hasPending ? pending : nil
        cost = try reader.choice()
        guard !isReal || cost.isEnoughForRealVaults else { throw ByteReader.Malformed() }
        salt = try reader.bytes()
        applicationSalt = try reader.bytes()
        guard salt.count == StretchCost.saltCount, applicationSalt.count == StretchCost.saltCount else {
            throw ByteReader.Malformed()
        }
        root = Root(
            underPasscode: try Wrapped.read(from: &reader, ofFormat: format),
            underRecovery: try Wrapped.read(from: &reader, ofFormat: format))
        let underFixed = try reader.bytes()
        root.underFixed = underFixed.isEmpty ? nil : underFixed
        classKeys = []
        for _ in 0..<(try reader.number(UInt8.self)) {
            classKeys.append(
                ClassKey(keyClass: try reader.choice(), id: try reader.number(), box: try reader.bytes()))
        }
        gateKey = try reader.bytes()
        passcodeGate = try reader.bytes()
        passcodeGatePublic = try reader.bytes()
        gates = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            gates.append(Gate(name: try GateName(from: &reader), box: try reader.bytes()))
        }
        if format >= 2 {
            sensor = try KnownSensor.read(from: &reader)
            fakeSensor = try reader.bytes()
            clock = try ClockMark.read(from: &reader)
        }
        try reader.requireEnd()
    }

    init(
        isReal: Bool, hasFakeSensor: Bool, isAuditDurable: Bool, device: Device.Lasting, cost: StretchCost,
        fixed: borrowing FixedKeys
    ) throws {
        self.isReal = isReal
        self.hasFakeSensor = hasFakeSensor
        self.isAuditDurable = isAuditDurable
        generation = 1
        self.device = device
        wrongPasscodes = []
        nextWrong = 0
        self.cost = cost
        salt = Sodium.randomBytes(StretchCost.saltCount)
        applicationSalt = Sodium.randomBytes(StretchCost.saltCount)
        root = Root()
        classKeys = []
        gateKey = []
        passcodeGate = []
        passcodeGatePublic = []
        gates = []
        try beginAnew(device, fixed)
    }
}

extension Keybag.Wrapped {
    private static let plainNumber: UInt8 = 1
    private static let committedNumber: UInt8 = 2

    fileprivate static func write(_ wrapped: Self?, to bytes: inout [UInt8]) {
        switch wrapped {
        case .none: bytes.write(0 as UInt8)
        case .plain(let box):
            bytes.write(plainNumber)
            bytes.write(box)
        case .committed(let box):
            bytes.write(committedNumber)
            bytes.write(box)
        }
    }

    /// Before the third format there was but one form, and an empty box for none.
    fileprivate static func read(from reader: inout ByteReader, ofFormat format: UInt8) throws -> Self? {
        if format < 3 {
            let box = try reader.bytes()
            return box.isEmpty ? nil : .plain(box)
        }
        switch try reader.number(UInt8.self) {
        case 0: return nil
        case plainNumber: return .plain(try reader.bytes())
        case committedNumber: return .committed(try reader.bytes())
        default: throw ByteReader.Malformed()
        }
    }
}
