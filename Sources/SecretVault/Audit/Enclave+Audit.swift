internal import SodiumKit

extension Enclave {
    /// Writes out what is recorded before there is no room for more. Where that fails, what would have to be recorded is
    /// refused as soon as there is none.
    mutating func makeRoomForRecords() {
        if audit.isNearlyFull { try? transaction { _ in } }
    }

    /// Writes out what was recorded before anybody is told, where the vault was made so.
    mutating func recordDurably() throws {
        if bag.isAuditDurable && !audit.isEmpty { try transaction(lasting: true) { _ in } }
    }

    /// Writes what was recorded since the last time into the transaction that is open, many records to a page. Each page is
    /// sealed together with the tag of the one before and has the number of its first record; the number of the last record
    /// and the tag of the last page stand in the ledger.
    mutating func flushAudit() throws {
        guard audit.isOn, !audit.isEmpty else { return }
        var page: [UInt8] = []
        var count: Int64 = 0
        let audit = audit
        try audit.write(to: &page) { page in
            count += 1
            if page.count < Self.auditPage { return }
            try write(page, of: count)
            page.removeAll(keepingCapacity: true)
            count = 0
        }
        if count > 0 { try write(page, of: count) }
    }

    /// Where a page of records ends, in bytes.
    private static let auditPage = 8 * 1024

    private mutating func write(_ page: [UInt8], of count: Int64) throws {
        let first = ledger.auditRecords + 1
        let box = Box.seal(
            page.span.bytes, under: fixed.audit,
            context: Self.auditContext(first, after: ledger.auditTag).span.bytes)
        let statement = try store.auditWriter()
        statement.bind(1, first)
        statement.bind(2, box)
        try statement.run()
        ledger.auditRecords += count
        ledger.auditTag = Tag(box.span.bytes.extracting(last: Tag.count))
    }

    private static func auditContext(_ number: Int64, after tag: Tag) -> [UInt8] {
        var context = Array("audit".utf8)
        context.write(number)
        context.write(tag)
        return context
    }

    /// The whole trail, as far as it is whole; `damage` is the first record that is not.
    mutating func readAudit() throws -> (records: [AuditRecord], damage: Int64?) {
        try transaction { _ in }  // what is still held back belongs to it
        return try readTrail(upTo: ledger)
    }

    /// The trail as the database has it, which the ledger says the end of.
    func readTrail(upTo ledger: Ledger) throws -> (records: [AuditRecord], damage: Int64?) {
        var records: [AuditRecord] = []
        var tag = Tag.none
        var expected: Int64 = 1
        let statement = try store.auditReader()
        defer { statement.reset() }
        while try statement.step() {
            let number = statement.number(0)
            guard number == expected, let box = statement.bytes(1),
                let opened = try Box.open(
                    box.bytes, under: fixed.audit, context: Self.auditContext(number, after: tag).span.bytes),
                let page = opened.withBytes({ bytes in bytes.withUnsafeBytes { try? Self.records(of: $0) } })
            else { return (records, expected) }
            tag = Tag(box.bytes.extracting(last: Tag.count))
            records += page
            expected += Int64(page.count)
        }
        let isWhole = expected - 1 == ledger.auditRecords && tag == ledger.auditTag
        return (records, isWhole ? nil : expected)
    }

    private static func records(of page: UnsafeRawBufferPointer) throws -> [AuditRecord] {
        var reader = ByteReader(page)
        var records: [AuditRecord] = []
        while !reader.isAtEnd { records.append(try AuditRecord(from: &reader)) }
        return records
    }
}
