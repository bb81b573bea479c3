package import AccessPolicy
package import SodiumKit

/// The head of a row. It is not encrypted but protected by a tag, and has everything that a decision needs, so that
/// decisions work on a locked device.
package struct Header {
    /// The number of the format, which is the first byte of a row.
    package static let format: UInt8 = 1

    /// The identifier, which is random and never changes.
    package var id: ItemIdentifier
    /// The number of the commit that wrote the row.
    package var version: UInt64
    package var itemClass: ItemClass
    package var control: AccessControl
    /// The number of the class key that it is encrypted under.
    package var classKey: UInt32
    package var binding: Binding
    package var isKey: Bool
    package var isSynchronizable: Bool
    /// True if an authentication that a session has kept may open the item.
    package var allowsReuse: Bool
    /// True if the item has a secret, even an empty one.
    package var hasSecret: Bool
    /// True if the secret is stored apart from the row.
    package var isSecretApart: Bool
    /// True if the secret is a ``SecretBody``: it has fields or former versions.
    package var sealsBody: Bool
    package var group: Tag
    package var primaryKey: Tag
    /// The date of storing, in milliseconds since the first day of 2001.
    package var created: Int64
    package var modified: Int64

    /// The size of format and length, which come first and are covered by the tag only, because the length is known
    /// last.
    package static let prefix = 3
    /// The range of identifier, version and bits in a record. Secret and attributes are sealed with these bytes as
    /// context, so that nothing is read as what it is not.
    package static let identityRange = 3..<28
    /// Returns the version in a record whose tag was not checked; nil if the record is too short.
    static func version(in record: UnsafeRawBufferPointer) -> UInt64? {
        guard record.count >= identityRange.upperBound else { return nil }
        return UInt64(littleEndian: record.loadUnaligned(fromByteOffset: prefix + 16, as: UInt64.self))
    }

    /// The number of the row. It follows from the primary key, so that a lookup needs no index.
    package var row: Int64 { primaryKey.row }

    /// Encodes the record up to the wraps. The length in front is filled in after the wraps are appended.
    package func encoded(_ columns: [(IndexColumn, Tag)]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes.write(Self.format)
        bytes.write(UInt16(0))
        bytes.write(id.high)
        bytes.write(id.low)
        bytes.write(version)
        let bits = [isKey, isSynchronizable, hasSecret, isSecretApart, allowsReuse, sealsBody]
        bytes.write(bits.enumerated().reduce(0 as UInt8) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
        bytes.write(itemClass.number)
        bytes.write(control.protection.number)
        bytes.write(control.hasFlags ? 1 : 0 as UInt8)
        bytes.write(UInt32(truncatingIfNeeded: control.flags.rawValue))
        bytes.write(classKey)
        bytes.write(binding.domainState.sensor)
        bytes.write(binding.domainState.epoch)
        bytes.write(binding.passcodeClassKey)
        bytes.write(group)
        bytes.write(primaryKey)
        bytes.write(created)
        bytes.write(modified)
        bytes.write(UInt8(columns.count))
        for (column, tag) in columns {
            bytes.write(column.rawValue)
            bytes.write(tag)
        }
        return bytes
    }

    package init(
        id: ItemIdentifier, version: UInt64, itemClass: ItemClass, control: AccessControl,
        classKey: UInt32,
        binding: Binding, isKey: Bool, isSynchronizable: Bool, allowsReuse: Bool, hasSecret: Bool, isSecretApart: Bool,
        sealsBody: Bool, group: Tag, primaryKey: Tag, created: Int64, modified: Int64
    ) {
        self.id = id
        self.version = version
        self.itemClass = itemClass
        self.control = control
        self.classKey = classKey
        self.binding = binding
        self.isKey = isKey
        self.isSynchronizable = isSynchronizable
        self.allowsReuse = allowsReuse
        self.hasSecret = hasSecret
        self.isSecretApart = isSecretApart
        self.sealsBody = sealsBody
        self.group = group
        self.primaryKey = primaryKey
        self.created = created
        self.modified = modified
    }

    package init(from reader: inout ByteReader) throws(ByteReader.FormatError) {
        guard try reader.number(UInt8.self) == Self.format else { throw ByteReader.FormatError() }
        _ = try reader.number(UInt16.self)
        id = ItemIdentifier(high: try reader.number(), low: try reader.number())
        version = try reader.number()
        let bits: UInt8 = try reader.number()
        isKey = bits & 1 != 0
        isSynchronizable = bits & 2 != 0
        hasSecret = bits & 4 != 0
        isSecretApart = bits & 8 != 0
        allowsReuse = bits & 16 != 0
        sealsBody = bits & 32 != 0
        guard bits < 64 else { throw ByteReader.FormatError() }
        let classNumber: UInt8 = try reader.number()
        let protectionNumber: UInt8 = try reader.number()
        guard let itemClass = ItemClass(number: classNumber), let protection = Accessibility(number: protectionNumber)
        else { throw ByteReader.FormatError() }
        self.itemClass = itemClass
        let hasFlags = try reader.bool()
        let flags = AccessControlFlags(rawValue: UInt(try reader.number(UInt32.self)))
        control = try Self.control(protection, flags, hasFlags)
        classKey = try reader.number()
        let state = DomainState(sensor: try reader.number(), epoch: try reader.number())
        binding = Binding(domainState: state, passcodeClassKey: try reader.number())
        group = try reader.tag()
        primaryKey = try reader.tag()
        created = try reader.number()
        modified = try reader.number()
    }

    private static func control(
        _ protection: Accessibility, _ flags: AccessControlFlags, _ hasFlags: Bool
    ) throws(ByteReader.FormatError) -> AccessControl {
        if !hasFlags { return AccessControl(protection) }
        do { return try AccessControl(protection: protection, flags: flags) } catch { throw ByteReader.FormatError() }
    }

    /// Returns the item as `decide` sees it, in a group by its number in the caller's list.
    package func item(in group: AccessGroup) -> Item {
        Item(
            control, binding: binding, group: group, id: id.evidenceID, isKey: isKey,
            isSynchronizable: isSynchronizable)
    }
}

extension Accessibility {
    /// The number that stands for the class in a header.
    package var number: UInt8 {
        switch self {
        case .whenPasscodeSetThisDeviceOnly: 1
        case .whenUnlockedThisDeviceOnly: 2
        case .whenUnlocked: 3
        case .afterFirstUnlockThisDeviceOnly: 4
        case .afterFirstUnlock: 5
        case .alwaysThisDeviceOnly: 6
        case .always: 7
        }
    }

    package init?(number: UInt8) {
        switch number {
        case 1: self = .whenPasscodeSetThisDeviceOnly
        case 2: self = .whenUnlockedThisDeviceOnly
        case 3: self = .whenUnlocked
        case 4: self = .afterFirstUnlockThisDeviceOnly
        case 5: self = .afterFirstUnlock
        case 6: self = .alwaysThisDeviceOnly
        case 7: self = .always
        default: return nil
        }
    }
}
