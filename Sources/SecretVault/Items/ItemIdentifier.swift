internal import AccessPolicy
internal import SodiumKit

/// A reference to an item, by its primary key or its identifier.
public enum ItemReference: Hashable, Sendable {
    /// The item with this primary key.
    case key(PrimaryKey)
    /// The item with this identifier.
    case id(ItemIdentifier)
    /// A private key that is kept outside the vault, sealed by it. It can be used and nothing else.
    case sealed(SealedKey)
}

/// The identifier of an item. It stays the same for the life of the item, even if all attributes change.
public struct ItemIdentifier: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The identifier as sixteen bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.write(high)
        bytes.write(low)
        return bytes
    }

    /// Creates the identifier with these bytes. Returns nil unless there are sixteen.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let halves = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(littleEndian: halves.0), low: UInt64(littleEndian: halves.1))
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static func random() -> ItemIdentifier {
        Sodium.randomBytes(16).withUnsafeBytes {
            ItemIdentifier(
                high: $0.loadUnaligned(as: UInt64.self), low: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The identifier that stands for the item in evidence.
    var evidenceID: ItemID { ItemID(rawValue: high) }
}

/// A stored item without its secret. It can be read while its accessibility class is open.
public struct StoredItem: Hashable, Sendable {
    /// The identifier of the item.
    public let id: ItemIdentifier
    /// The description of the item.
    public let description: ItemDescription
    /// The date of storing, in seconds since the first day of 2001.
    public let created: Double
    /// The date of the last change, in seconds since the first day of 2001.
    public let modified: Double
}
