package import SodiumKit

/// Sums over all items, which show if a row was removed, put back or copied.
///
/// One sum cannot show which row is wrong. Two more, of the row numbers and of their products with the hashes, show it
/// if only one row is wrong.
package struct ItemSums: Equatable, Sendable {
    package var count: UInt64 = 0
    /// The sum of a keyed hash of every row, modulo 2²⁵⁶, lowest part first.
    private var sum: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    package private(set) var rows: UInt64 = 0
    private(set) var products: UInt64 = 0

    package init() {}

    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.sum == right.sum && left.rows == right.rows && left.products == right.products
    }

    /// Returns true if the difference from `other` is that only this row has other contents.
    package func differs(from other: Self, inContentsOf row: UInt64) -> Bool {
        row &* (sum.0 &- other.sum.0) == products &- other.products
    }

    package mutating func add(_ entry: Entry) {
        count &+= 1
        rows &+= entry.row
        products &+= entry.row &* entry.low
        combine(entry.hash) { $0.addingReportingOverflow($1) }
    }

    package mutating func remove(_ entry: Entry) {
        count &-= 1
        rows &-= entry.row
        products &-= entry.row &* entry.low
        combine(entry.hash) { $0.subtractingReportingOverflow($1) }
    }

    private mutating func combine(
        _ hash: [UInt8], _ step: (UInt64, UInt64) -> (partialValue: UInt64, overflow: Bool)
    ) {
        var parts = [sum.0, sum.1, sum.2, sum.3]
        var carry: UInt64 = 0
        for place in 0..<4 {
            let part = hash.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            }
            let first = step(parts[place], part)
            let second = step(first.partialValue, carry)
            parts[place] = second.partialValue
            carry = (first.overflow ? 1 : 0) + (second.overflow ? 1 : 0)
        }
        sum = (parts[0], parts[1], parts[2], parts[3])
    }

    /// The entry of one row in the sums.
    package struct Entry {
        package let row: UInt64
        package let hash: [UInt8]

        /// The lowest part of the hash.
        package var low: UInt64 { hash.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) } }

        package init(
            row: Int64, version: UInt64, header: Tag, secret: RawSpan, attributes: RawSpan, _ key: borrowing Key
        ) throws {
            self.row = UInt64(bitPattern: row)
            var hash = try KeyedHash(key)
            hash.add(UInt64(bitPattern: row))
            hash.add(version)
            header.withBytes { hash.add($0) }
            hash.add(secret)
            hash.add(attributes)
            self.hash = hash.bytes()
        }
    }
}

extension ItemSums: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("count", &count)
        try coder.number("sum", &sum.0)
        try coder.number("sum", &sum.1)
        try coder.number("sum", &sum.2)
        try coder.number("sum", &sum.3)
        try coder.number("rows", &rows)
        try coder.number("products", &products)
    }
}

/// A mark of the items of a vault, with those whose deletion can be undone. It changes whenever one of them does.
package struct ItemsMark: Equatable, Sendable {
    package let items: ItemSums
    package let removed: ItemSums

    package init(items: ItemSums, removed: ItemSums) {
        self.items = items
        self.removed = removed
    }
}
