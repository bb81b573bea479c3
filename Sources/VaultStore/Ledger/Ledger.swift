package import SodiumKit

/// The sealed account of what the database holds.
package struct Ledger: Equatable, Sendable {
    /// The number of transactions.
    package var commits: UInt64 = 0
    /// The generation of the keybag that belongs to this ledger. An older keybag under the same erase key would give
    /// back passcode attempts that were used up.
    package var generation: UInt64 = 0
    package var items = ItemSums()
    /// The account of the rows of deleted items that can be brought back.
    package var removed = ItemSums()
    package var audit = AuditAccount()

    // MARK: - Sealing

    private static let format: UInt8 = 1

    package func sealed(under key: borrowing Key) -> [UInt8] {
        Box.seal(encoded.span.bytes, under: key, context: "ledger".utf8Span.span.bytes)
    }

    private var encoded: [UInt8] {
        var (copy, writer) = (self, StoredWriter())
        copy.code(with: &writer)
        return writer.written
    }

    /// Returns the bytes that this version would write for the ledger in `box`. Tests of the format use this.
    package static func rewritten(_ box: UnsafeRawBufferPointer, under key: borrowing Key) throws -> RewrittenBytes? {
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

    package init() {}

    package init(_ box: UnsafeRawBufferPointer, under key: borrowing Key) throws {
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
        try code(with: &reader)
        try reader.requireEnd()
    }
}

extension Ledger: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var format = Self.format
        try coder.number("format", &format)
        try coder.require(format == Self.format)
        try coder.number("commits", &commits)
        try coder.number("generation", &generation)
        try coder.value("items", &items)
        try coder.value("removed", &removed)
        try coder.value("audit", &audit)
    }
}

extension Store {
    /// Returns the ledger.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if it is missing, or does not open.
    package func ledger() throws -> Ledger {
        guard let ledger = try withBytes(readLedger, { try Ledger($0, under: fixed.ledger) }) else {
            throw VaultError.damaged(.ledger)
        }
        return ledger
    }

    /// Writes the ledger into the open transaction.
    package func write(_ ledger: Ledger) throws {
        writeLedger.bind(1, ledger.sealed(under: fixed.ledger))
        try writeLedger.run()
    }
}
