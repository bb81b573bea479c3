internal import SodiumKit

/// The sealed account of what the database holds, so that a row taken out, put back or doubled does not go unseen.
///
/// A sum over all rows cannot say which one is wrong. Two more, of the row numbers and of their products with the hashes,
/// can, as long as it is only one.
struct Ledger: Equatable, Sendable {
    /// How many transactions there were.
    var commits: UInt64 = 0
    /// Which keybag belongs to it: one that is older, though sealed under the same erase key, would bring back passcode
    /// attempts that were used up.
    var generation: UInt64 = 0
    /// How many items there are.
    var count: UInt64 = 0
    /// The sum of a keyed hash of every row, modulo 2²⁵⁶, lowest part first.
    private var sum: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private(set) var rows: UInt64 = 0
    private(set) var products: UInt64 = 0
    /// The account of the audit log.
    var audit = AuditAccount()

    static func == (left: Self, right: Self) -> Bool {
        left.commits == right.commits && left.generation == right.generation
            && left.audit == right.audit && left.holdsTheSame(as: right)
    }

    /// Returns true if both are sums over the same rows.
    func holdsTheSame(as other: Self) -> Bool {
        count == other.count && sum == other.sum && rows == other.rows && products == other.products
    }

    /// Returns true if the difference to `other` is that this one row has other contents.
    func differs(from other: Self, inContentsOf row: UInt64) -> Bool {
        row &* (sum.0 &- other.sum.0) == products &- other.products
    }

    mutating func add(_ entry: Entry) {
        count &+= 1
        rows &+= entry.row
        products &+= entry.row &* entry.low
        combine(entry.hash) { $0.addingReportingOverflow($1) }
    }

    mutating func remove(_ entry: Entry) {
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

    /// What one row adds.
    struct Entry {
        let row: UInt64
        let hash: [UInt8]

        /// The lowest part of the hash.
        var low: UInt64 { hash.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) } }

        init(
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

    // MARK: - Sealing

    /// The first format had no number, and so many bytes; it is still read.
    private static let olderCount = 9 * 8 + 8 + Tag.count
    private static let format: UInt8 = 2

    func sealed(under key: borrowing Key) -> [UInt8] {
        Box.seal(encoded.span.bytes, under: key, context: "ledger".utf8Span.span.bytes)
    }

    private var encoded: [UInt8] {
        var (copy, writer) = (self, StoredWriter())
        copy.code(with: &writer)
        return writer.written
    }

    /// What this version writes of the bytes in `box`, for tests of the format.
    static func rewritten(_ box: UnsafeRawBufferPointer, under key: borrowing Key) throws -> RewrittenBytes? {
        guard let opened = try Box.open(box.bytes, under: key, context: "ledger".utf8Span.span.bytes) else {
            return nil
        }
        return try opened.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                let written = try Ledger(decoding: bytes).encoded
                let again = try written.withUnsafeBytes { try Ledger(decoding: $0).encoded }
                return RewrittenBytes(written: written, again: again)
            }
        }
    }

    init() {}

    init(_ box: UnsafeRawBufferPointer, under key: borrowing Key) throws {
        guard let opened = try Box.open(box.bytes, under: key, context: "ledger".utf8Span.span.bytes) else {
            throw VaultError.damaged(.ledger)
        }
        self = try opened.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                do { return try Ledger(decoding: bytes) } catch { throw VaultError.damaged(.ledger) }
            }
        }
    }

    private init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = StoredReader(bytes)
        if bytes.count == Self.olderCount {
            try codeSums(with: &reader)
            audit.bytes = nil  // that was not counted then
            try reader.number("audit", &audit.records)
            try reader.tag("audit", &audit.tag)
        } else {
            try code(with: &reader)
        }
        try reader.requireEnd()
    }
}

extension Ledger: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var format = Self.format
        try coder.number("format", &format)
        try coder.require(format == Self.format)
        try codeSums(with: &coder)
        try coder.value("audit", &audit)
    }

    private mutating func codeSums<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("commits", &commits)
        try coder.number("generation", &generation)
        try coder.number("count", &count)
        try coder.number("sum", &sum.0)
        try coder.number("sum", &sum.1)
        try coder.number("sum", &sum.2)
        try coder.number("sum", &sum.3)
        try coder.number("rows", &rows)
        try coder.number("products", &products)
    }
}

extension Ledger {
    /// The ledger of the same vault without an item.
    mutating func forgetItems() {
        var empty = Ledger()
        empty.commits = commits
        empty.generation = generation
        empty.audit = audit
        self = empty
    }
}
