package import AccessPolicy
internal import SodiumKit

/// The identifier of an item. It stays the same for the life of the item, even if all attributes change.
public struct ItemIdentifier: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

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

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func random() -> ItemIdentifier {
        Sodium.randomBytes(16).withUnsafeBytes {
            ItemIdentifier(
                high: $0.loadUnaligned(as: UInt64.self), low: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The identifier that stands for the item in evidence.
    package var evidenceID: ItemID { ItemID(rawValue: high) }
}
