package import SodiumKit

/// The primary key of an item: class, access group, synchronizability, and the attributes that are unique together.
public struct PrimaryKey: Hashable, Sendable {
    /// The class.
    public let itemClass: ItemClass
    /// The access group.
    public let group: String
    /// The bytes whose hash determines the row.
    package let comparable: [UInt8]

    /// Creates a primary key. Attributes that are not part of the key are ignored, and missing ones count as empty.
    public init(_ itemClass: ItemClass, _ attributes: Attributes, group: String, isSynchronizable: Bool = false) {
        self.init(itemClass, group: group, isSynchronizable: isSynchronizable) { attributes[$0] }
    }

    /// Creates the primary key of a generic password, without a dictionary of its attributes.
    package init(account: String, service: String, group: String) {
        self.init(.genericPassword, group: group, isSynchronizable: false) { name in
            switch name {
            case .account: .string(account)
            case .service: .string(service)
            default: nil
            }
        }
    }

    private init(
        _ itemClass: ItemClass, group: String, isSynchronizable: Bool, _ value: (AttributeName) -> AttributeValue?
    ) {
        self.itemClass = itemClass
        self.group = group
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        bytes.write(UInt8(ascii: "K"))
        bytes.write(itemClass.number)
        bytes.write(isSynchronizable ? 1 : 0 as UInt8)
        AttributeValue.string(group).writeComparable(to: &bytes)
        for column in itemClass.primaryKey {
            column.comparable(value(column.attribute) ?? column.missing).writeComparable(to: &bytes)
        }
        // Apple has these two attributes in the key of every class, but hardly any item has a value for them.
        for name in [AttributeName.syncViewHint, .tokenID] {
            guard let value = value(name), !value.isSame(as: .string("")) else { continue }
            bytes.write(text: name.rawValue)
            value.writeComparable(to: &bytes)
        }
        comparable = bytes
    }

    package func tag(_ indexKey: borrowing Key) -> Tag { Tag(of: comparable.span.bytes, under: indexKey) }
}

extension Tag {
    /// The number of the row for a primary key with this tag.
    ///
    /// Two keys share a row if 63 bits of their tags are equal. The second item is then refused.
    package var row: Int64 { Int64(bitPattern: low & (.max >> 1)) }
}

extension IndexColumn {
    /// Returns the hash that the column holds for `value`. It is the same in every class.
    package func tag(_ value: AttributeValue, _ indexKey: borrowing Key) -> Tag {
        var bytes: [UInt8] = [UInt8(ascii: "C"), rawValue]
        comparable(value).writeComparable(to: &bytes)
        return Tag(of: bytes.span.bytes, under: indexKey)
    }

    /// Returns the value that a search compares in this column. As in Apple's keychain, a number in a column of bytes is
    /// found by its lower 32 bits, lowest byte first.
    fileprivate func comparable(_ value: AttributeValue) -> AttributeValue {
        guard case .number(let number) = value, case .data = missing else { return value }
        return .data(AttributeValue.bytes(of: number))
    }
}

/// Returns the hash that a header holds for the access group of this name.
package func groupTag(_ group: String, _ indexKey: borrowing Key) -> Tag {
    var bytes: [UInt8] = [UInt8(ascii: "G")]
    AttributeValue.string(group).writeComparable(to: &bytes)
    return Tag(of: bytes.span.bytes, under: indexKey)
}

extension IndexColumn {
    /// The value that stands for a missing attribute in a primary key: empty or zero.
    package var missing: AttributeValue {
        switch self {
        case .ptcl, .port, .ctyp, .kcls, .crtr, .type, .bsiz, .esiz: .number(0)
        case .sdat, .edat: .date(0)
        case .acct, .svce, .sdmn, .srvr, .atyp, .path, .labl, .desc, .icmt, .gena, .issr, .slnr, .subj, .skid, .pkhh,
            .klbl, .atag:
            .data([])
        }
    }
}
