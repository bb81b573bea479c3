internal import AccessPolicy
internal import SodiumKit

/// Which item is meant.
public enum ItemReference: Hashable, Sendable {
    /// The one with these unique attributes.
    case key(PrimaryKey)
    /// The one with this identifier, which it keeps for life.
    case id(ItemIdentifier)
}

/// The identifier of an item. It keeps it for life, whatever becomes of its attributes.
public struct ItemIdentifier: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The sixteen bytes of it.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.write(high)
        bytes.write(low)
        return bytes
    }

    /// The identifier with these sixteen bytes.
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

    /// The item's identifier in evidence.
    var evidenceID: ItemID { ItemID(rawValue: high) }
}

/// A stored item without its secret. It is readable while its class is open.
public struct StoredItem: Hashable, Sendable {
    /// The item's identifier.
    public let id: ItemIdentifier
    /// The item.
    public let description: ItemDescription
    /// When it was stored, in seconds since the first day of 2001.
    public let created: Double
    /// When it was last changed.
    public let modified: Double
}
