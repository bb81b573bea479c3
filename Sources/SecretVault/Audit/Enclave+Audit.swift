internal import SodiumKit

extension Enclave {
    /// Writes the waiting records before there is no room for more. If that fails, requests are refused once there is none.
    mutating func makeRoomForRecords() {
        if audit.isNearlyFull { try? transaction { _ in } }
    }

    /// Writes the waiting records before the caller gets an answer, if the log is durable.
    mutating func recordDurably() throws {
        if bag.isAuditDurable && !audit.isEmpty { try transaction(lasting: true) { _ in } }
    }

    /// Writes the waiting records into the open transaction: new ones in pages, repeats beside the page of their record. Then
    /// the archive takes what the live log has no room for.
    mutating func flushAudit() throws {
        guard audit.isOn, !audit.isEmpty else { return }
        let before = try liveBytes()
        let store = store
        let present = try store.statement("SELECT 1 FROM audit WHERE record = ?")
        let delivery = try audit.delivery(limit: ledger.audit.limit) { page in
            present.bind(1, page)
            return try store.number(present) != nil
        }
        for (page, repeats) in delivery.repeats { try count(repeats, in: page) }
        for page in audit.pages(of: delivery, at: ledger.audit.records + 1) { try write(page) }
        try archive(appended: (ledger.audit.bytes ?? 0) - before)
    }

    /// Returns the size of the live log, and counts it if the ledger does not know: one from before there was a limit, or one
    /// whose pages were lost.
    mutating func liveBytes() throws -> Int64 {
        if let bytes = ledger.audit.bytes { return bytes }
        let sum = try store.statement(
            "SELECT COALESCE(SUM(LENGTH(sealed) + COALESCE(LENGTH(repeats), 0)), 0) FROM audit")
        let bytes = try store.number(sum) ?? 0
        ledger.audit.bytes = bytes
        return bytes
    }

    /// Appends a page to the live log. It is sealed together with the tag of the one before and has the place of its first
    /// record; the number of records and the tag of the last page stand in the ledger.
    private mutating func write(_ page: AuditPage) throws {
        let box = Box.seal(
            page.encoded.span.bytes, under: fixed.audit,
            context: AuditChain.live.context(page.first, after: ledger.audit.tag).span.bytes)
        let statement = try store.statement("INSERT INTO audit (record, sealed) VALUES (?, ?)")
        statement.bind(1, page.first)
        statement.bind(2, box)
        try statement.run()
        ledger.audit.records += Int64(page.lines.count)
        ledger.audit.tag = Tag(box.span.bytes.extracting(last: Box.tagCount))
        ledger.audit.bytes = (ledger.audit.bytes ?? 0) + Int64(box.count)
    }

    /// Counts repeats in beside a page of the live log. They are sealed with its place, and their sum stands in the ledger.
    private mutating func count(_ repeats: AuditRepeats, in page: Int64) throws {
        let reading = try store.statement("SELECT repeats FROM audit WHERE record = ?")
        reading.bind(1, page)
        let former = try store.withBytes(reading) { [UInt8]($0) }
        var sum = try former.map { try self.repeats(in: $0, of: page) } ?? AuditRepeats()
        for (line, repeated) in repeats.all { sum.add(repeated, to: line) }
        let box = Box.seal(
            sum.encoded.span.bytes, under: fixed.audit, context: AuditChain.repeatsContext(page).span.bytes)
        let writing = try store.statement("UPDATE audit SET repeats = ? WHERE record = ?")
        writing.bind(1, box)
        writing.bind(2, page)
        try writing.run()
        if let former { ledger.audit.repeats -= RepeatsSum(of: former.span.bytes, page: page, under: fixed.audit) }
        ledger.audit.repeats += RepeatsSum(of: box.span.bytes, page: page, under: fixed.audit)
        ledger.audit.bytes = (ledger.audit.bytes ?? 0) + Int64(box.count - (former?.count ?? 0))
    }

    /// Returns the repeats of a page; none if they are damaged, which the sum in the ledger shows.
    func repeats(in box: [UInt8], of page: Int64) throws -> AuditRepeats {
        let opened = try Box.open(
            box.span.bytes, under: fixed.audit, context: AuditChain.repeatsContext(page).span.bytes)
        guard let opened else { return AuditRepeats() }
        return opened.withBytes { bytes in
            bytes.withUnsafeBytes { (try? AuditRepeats(decoding: $0)) ?? AuditRepeats() }
        }
    }
}
