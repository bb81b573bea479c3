internal import SodiumKit

extension Enclave {
    /// Writes out what is recorded before there is no room for more. Where that fails, what would have to be recorded is
    /// refused as soon as there is none.
    mutating func makeRoomForRecords() {
        if audit.isNearlyFull { try? transaction { _ in } }
    }

    /// Writes what was recorded since the last time into the transaction that is open. Each record is sealed together with
    /// the tag of the one before, and number and tag of the last stand in the ledger.
    mutating func flushAudit() throws {
        guard audit.isOn, !audit.isEmpty else { return }
        let statement = try store.auditWriter()
        for record in audit.records {
            ledger.auditRecords += 1
            let box = Box.seal(
                record.encoded.span.bytes, under: fixed.audit,
                context: Self.auditContext(ledger.auditRecords, after: ledger.auditTag).span.bytes)
            ledger.auditTag = Tag(box.span.bytes.extracting(last: Tag.count))
            statement.bind(1, ledger.auditRecords)
            statement.bind(2, box)
            try statement.run()
        }
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
                let record = opened.withBytes({ bytes in
                    bytes.withUnsafeBytes { try? AuditRecord(decoding: $0) }
                })
            else { return (records, expected) }
            tag = Tag(box.bytes.extracting(last: Tag.count))
            records.append(record)
            expected += 1
        }
        let isWhole = expected - 1 == ledger.auditRecords && tag == ledger.auditTag
        return (records, isWhole ? nil : expected)
    }
}
