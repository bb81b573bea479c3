internal import SodiumKit

extension AuditLog {
    /// Writes the waiting records into the open transaction: new ones in pages, repeats beside the page of their
    /// record. If `archiving`, then moves the pages to the archive that the live log has no room for.
    package mutating func flush(into account: inout AuditAccount, in store: Store, archiving: Bool = true) throws {
        guard isOn, !isEmpty else { return }
        let before = account.bytes
        let present = try store.statement("SELECT 1 FROM audit WHERE record = ?")
        let delivery = try delivery(limit: account.limit) { page in
            present.bind(1, page)
            return try store.number(present) != nil
        }
        for (page, repeats) in delivery.repeats { try account.count(repeats, in: page, of: store) }
        for page in pages(of: delivery, at: account.records + 1) { try account.write(page, in: store) }
        if archiving { try account.archive(appended: account.bytes - before, in: store) }
    }
}

extension AuditAccount {
    /// Appends a page to the live log. The page is sealed with the tag of the page before it and stored at the place of
    /// its first record. The ledger keeps the number of records and the tag of the last page.
    fileprivate mutating func write(_ page: AuditPage, in store: Store) throws {
        let box = Box.seal(
            page.encoded.span.bytes, under: store.fixed.audit,
            context: AuditChain.live.context(page.first, after: tag).span.bytes)
        let statement = try store.statement("INSERT INTO audit (record, sealed) VALUES (?, ?)")
        statement.bind(1, page.first)
        statement.bind(2, box)
        try statement.run()
        records += Int64(page.lines.count)
        tag = Tag(box.span.bytes.extracting(last: Box.tagCount))
        bytes += Int64(box.count)
    }

    /// Adds repeats to those beside a page of the live log. They are sealed with the place of the page, and the ledger
    /// keeps a sum over them.
    fileprivate mutating func count(_ repeats: AuditRepeats, in page: Int64, of store: Store) throws {
        let reading = try store.statement("SELECT repeats FROM audit WHERE record = ?")
        reading.bind(1, page)
        let former = try store.withBytes(reading) { [UInt8]($0) }
        var sum = try former.map { try store.repeats(in: $0, of: page) } ?? AuditRepeats()
        for (line, repeated) in repeats.all { sum.add(repeated, to: line) }
        let box = Box.seal(
            sum.encoded.span.bytes, under: store.fixed.audit, context: AuditChain.repeatsContext(page).span.bytes)
        let writing = try store.statement("UPDATE audit SET repeats = ? WHERE record = ?")
        writing.bind(1, box)
        writing.bind(2, page)
        try writing.run()
        if let former { self.repeats -= RepeatsSum(of: former.span.bytes, page: page, under: store.fixed.audit) }
        self.repeats += RepeatsSum(of: box.span.bytes, page: page, under: store.fixed.audit)
        bytes += Int64(box.count - (former?.count ?? 0))
    }
}

extension Store {
    /// Opens the repeats of a page. Returns none if they are damaged; the sum in the ledger then shows it.
    func repeats(in box: [UInt8], of page: Int64) throws -> AuditRepeats {
        let opened = try Box.open(
            box.span.bytes, under: fixed.audit, context: AuditChain.repeatsContext(page).span.bytes)
        guard let opened else { return AuditRepeats() }
        return opened.withBytes { bytes in
            bytes.withUnsafeBytes { (try? AuditRepeats(decoding: $0)) ?? AuditRepeats() }
        }
    }
}
