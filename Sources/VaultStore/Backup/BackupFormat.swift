package import AccessPolicy
internal import Glibc
package import SodiumKit

/// The head of a backup: its format, and the cost and salt that lead from the passphrase to its keys.
package struct BackupHead {
    private static let magic = Array("LatchBak".utf8)

    private static let magicOfVersion01 = Array("LkBackup".utf8)
    /// The format of the backup. Every box in it is sealed with the head as context, and so with the format.
    private static let format: UInt32 = 1

    /// The cost of stretching the passphrase; nil for a backup that is sealed under the device alone.
    package var cost: StretchCost?
    package var salt: [UInt8]

    package var encoded: [UInt8] {
        var bytes = Self.magic
        bytes.write(Self.format)
        bytes.write(cost?.rawValue ?? 0)
        bytes += salt
        return bytes
    }

    package static let count = 8 + 4 + 1 + StretchCost.saltCount

    /// The length of the box of a key.
    static let keyBoxCount = Key.count + CommittedBox.overhead
    /// The place of the first record, after the boxes of both keys.
    static let firstRecord = count + 2 * keyBoxCount

    package init(cost: StretchCost?) {
        self.cost = cost
        salt = Sodium.randomBytes(StretchCost.saltCount)
    }

    package init(_ bytes: [UInt8], _ path: String) throws {
        if bytes.starts(with: Self.magicOfVersion01) { throw VaultError.ofVersion01(path) }
        guard bytes.count == Self.count, bytes.starts(with: Self.magic) else { throw VaultError.notABackup(path) }
        let found: (UInt32, UInt8) = try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            _ = try reader.read(Self.magic.count)
            return (try reader.number(), try reader.number())
        }
        guard found.0 == Self.format else {
            throw VaultError.newer(path, found: Int(found.0), known: Int(Self.format))
        }
        cost = StretchCost(rawValue: found.1)
        guard cost != nil || found.1 == 0 else { throw VaultError.damaged(.backup(0)) }
        salt = Array(bytes.suffix(StretchCost.saltCount))
    }
}

/// The two keys of a backup: one seals the items that travel anywhere, the other those that only return to their
/// device.
package struct BackupKeys: ~Copyable {
    package let anywhere: Key
    /// The key of items that only return to their device; nil on any other device.
    package let sameDevice: Key?

    /// Creates random keys for a new backup.
    package init() throws {
        self.init(try Key.random(), try Key.random())
    }

    /// Seals both keys for a new backup.
    package borrowing func sealed(
        _ head: BackupHead, under outer: borrowing Key, _ device: borrowing Key
    ) throws -> (anywhere: [UInt8], sameDevice: [UInt8]) {
        let context = head.encoded
        let home = try Self.home(outer, device)
        let boxed = try with(.sameDevice) { try CommittedBox.seal($0, under: home, context: context.span.bytes) }
        return (try CommittedBox.seal(anywhere, under: outer, context: context.span.bytes), boxed ?? [])
    }

    /// Opens the keys in their boxes. Returns nil if the passphrase is wrong.
    package static func open(
        _ head: BackupHead, _ anywhere: [UInt8], _ sameDevice: [UInt8], under outer: borrowing Key,
        _ device: borrowing Key
    ) throws -> BackupKeys? {
        let context = head.encoded
        guard let opened = try CommittedBox.openKey(anywhere.span.bytes, under: outer, context: context.span.bytes)
        else { return nil }
        let home = try home(outer, device)
        return BackupKeys(
            opened, try CommittedBox.openKey(sameDevice.span.bytes, under: home, context: context.span.bytes))
    }

    private init(_ anywhere: consuming Key, _ sameDevice: consuming Key?) {
        self.anywhere = anywhere
        self.sameDevice = sameDevice
    }

    private static func home(_ outer: borrowing Key, _ device: borrowing Key) throws -> Key {
        var hash = try KeyedHash(device)
        hash.add("backup".utf8Span.span.bytes)
        hash.add(outer)
        return try hash.key()
    }

    package borrowing func with<Result: ~Copyable>(
        _ travel: Travel, _ body: (borrowing Key) throws -> Result
    ) rethrows -> Result? {
        switch travel {
        case .never: nil
        case .sameDevice:
            switch sameDevice {
            case .some(let key): try body(key)
            case .none: nil
            }
        case .anywhere: try body(anywhere)
        }
    }
}

/// An item in a backup, decrypted.
package struct BackupItem: ~Copyable {
    package var id: ItemIdentifier
    package var description: ItemDescription
    package var created: Int64
    package var modified: Int64
    package var secret: Plaintext

    /// The bit beside the flags that stands for ``ItemDescription/allowsReuse``. No flag has it.
    private static let reuseBit: UInt32 = 0x0100

    /// The kind of what follows the attributes: nothing, a value, or a ``SecretBody``.
    private static let (noSecret, value, body): (UInt8, UInt8, UInt8) = (0, 1, 2)

    /// Returns the secret, and ends the item.
    package consuming func takeSecret() -> Plaintext { secret }

    /// Encodes the item in guarded memory, because its secret is among the bytes.
    package borrowing func encoded() throws -> SecureBytes {
        var head: [UInt8] = []
        head.write(id.high)
        head.write(id.low)
        head.write(created)
        head.write(modified)
        head.write(description.itemClass.number)
        head.write(description.control.protection.number)
        head.write(description.control.hasFlags ? 1 : 0 as UInt8)
        head.write(
            UInt32(truncatingIfNeeded: description.control.flags.rawValue)
                | (description.allowsReuse ? Self.reuseBit : 0))
        head.write(description.isSynchronizable ? 1 : 0 as UInt8)
        head.write(SealedAttributes(attributes: description.attributes, group: description.group).encoded)
        switch secret.bytes {
        case .some(let bytes):
            head.write((secret.isBody ? Self.body : Self.value) as UInt8)
            return try bytes.withBytes { secret in
                try secret.withUnsafeBytes { secret in try Self.joined(head, secret) }
            }
        case .none:
            head.write(Self.noSecret)
            return try Self.joined(head, UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private static func joined(_ head: [UInt8], _ secret: UnsafeRawBufferPointer) throws -> SecureBytes {
        var bytes = try SecureBytes(count: head.count + secret.count)
        bytes.withMutableBytes { bytes in
            bytes.copyBytes(from: head)
            UnsafeMutableRawBufferPointer(rebasing: bytes[head.count...]).copyBytes(from: secret)
        }
        return bytes
    }

    package init(
        id: ItemIdentifier, description: ItemDescription, created: Int64, modified: Int64,
        secret: consuming Plaintext
    ) {
        self.id = id
        self.description = description
        self.created = created
        self.modified = modified
        self.secret = secret
    }

    /// True if the secret is larger than any item's may be.
    package var isTooLarge: Bool {
        borrowing get {
            switch secret.bytes {
            case .some(let bytes): bytes.count > SecretSize.limit
            case .none: false
            }
        }
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws -> BackupItem {
        var reader = ByteReader(bytes)
        let id = ItemIdentifier(high: try reader.number(), low: try reader.number())
        let created: Int64 = try reader.number()
        let modified: Int64 = try reader.number()
        guard let itemClass = ItemClass(number: try reader.number()),
            let protection = Accessibility(number: try reader.number())
        else { throw ByteReader.FormatError() }
        let hasFlags = try reader.bool()
        let bits = try reader.number(UInt32.self)
        let flags = AccessControlFlags(rawValue: UInt(bits & ~Self.reuseBit))
        let control = hasFlags ? try AccessControl(protection: protection, flags: flags) : AccessControl(protection)
        let isSynchronizable = try reader.bool()
        let sealed = try SealedAttributes(decoding: try reader.slice())
        let kind: UInt8 = try reader.number()
        guard [noSecret, value, body].contains(kind) else { throw ByteReader.FormatError() }
        if kind == body { _ = try SecretBody(decoding: reader.rest) }
        var description = ItemDescription(
            itemClass, sealed.attributes, control, group: sealed.group, isSynchronizable: isSynchronizable)
        description.allowsReuse = bits & Self.reuseBit != 0
        if kind == noSecret { try reader.requireEnd() }
        let bytes = kind == noSecret ? nil : try SecureBytes(copying: reader.rest.bytes)
        let secret = Plaintext(bytes: bytes, isBody: kind == body)
        return BackupItem(id: id, description: description, created: created, modified: modified, secret: secret)
    }
}

/// The kinds of the records in a backup. An item has the number of its ``Travel`` as its kind.
enum BackupRecord: Hashable {
    case item(Travel)
    case leftBehind
    case end

    /// Creates the kind with this number. Returns nil if there is none.
    init?(_ number: UInt8) {
        if number == Self.end.number {
            self = .end
        } else if number == Self.leftBehind.number {
            self = .leftBehind
        } else if let travel = Travel(rawValue: number), travel != .never {
            self = .item(travel)
        } else {
            return nil
        }
    }

    var number: UInt8 {
        switch self {
        case .item(let travel): travel.rawValue
        case .leftBehind: 3
        case .end: 255
        }
    }
}

extension LeftBehind {
    /// The largest number of bytes of a name. Attributes can be longer; nothing is found by this name.
    private static let longestName = 4096

    /// The note as bytes.
    package var encoded: [UInt8] {
        var (copy, writer) = (self, StoredWriter())
        var short = ""
        for character in (name ?? "") where short.utf8.count + character.utf8.count <= Self.longestName {
            short.append(character)
        }
        copy.name = short
        copy.code(with: &writer)
        return writer.written
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(ByteReader.FormatError) {
        var reader = StoredReader(bytes)
        self.init(.damaged)
        try code(with: &reader)
        try reader.requireEnd()
    }
}

extension LeftBehind: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("reason", &reason)
        var (high, low) = (id?.high ?? 0, id?.low ?? 0)
        try coder.number("id", &high)
        try coder.number("id", &low)
        var number = itemClass?.number ?? 0
        try coder.number("itemClass", &number)
        itemClass = ItemClass(number: number)
        try coder.require(itemClass != nil || number == 0)
        // A damaged item has neither.
        id = itemClass == nil ? nil : ItemIdentifier(high: high, low: low)
        var text = name ?? ""
        try coder.text("name", &text)
        name = text.isEmpty ? nil : text
    }
}

/// Returns the context that a record of a backup is sealed with. It has the record's place, so that none can be left
/// out or moved.
func backupContext(_ head: BackupHead, _ record: Int) -> [UInt8] {
    var context = head.encoded
    context.write(UInt64(record))
    return context
}
