internal import AccessPolicy
internal import SodiumKit

extension AuditAccount {
    /// The number of bytes of the live log that one transaction moves to the archive, unless it has appended more than
    /// half of that.
    private static let step: Int64 = 512 * 1024
    /// The largest number of pages that one transaction moves.
    private static let pages = 2048

    /// Moves the oldest pages of the live log to the archive if the log is over its limit, and drops the oldest pages
    /// of the archive if that is over its own. A transaction moves more bytes than it has `appended`, in a few
    /// milliseconds.
    package mutating func archive(appended: Int64, in store: Store) throws {
        var written: Int64 = 0
        if bytes > liveLimit {
            written = try moveToArchive(max(min(Self.step, liveLimit / 2), 2 * appended), in: store)
        }
        try dropFromArchive(max(Self.step, 2 * written), in: store)
    }

    /// Moves about this many bytes of the oldest pages, and returns the number of bytes by which the archive has grown.
    /// Damaged pages are skipped, and the ledger remembers their places for `verify`.
    private mutating func moveToArchive(_ bytes: Int64, in store: Store) throws -> Int64 {
        var account = self
        var sorter = AuditSorter()
        var left = bytes
        var count = 0
        var isSizeKnown = true
        while left > 0, count < Self.pages, account.first <= account.records {
            let stored = try store.page(of: .live, "record >= ?1 ORDER BY record", account.first)
            if let stored, stored.place == account.first, let page = try store.whole(stored, of: .live, in: account) {
                sorter.add(page)
                account.first += Int64(page.lines.count)
                account.anchor = stored.tag
                account.bytes -= stored.size
            } else {
                let next = try store.wayOn(from: stored, of: .live, in: account)
                account.lost.add(from: account.first, to: next.place - 1)
                (account.first, account.anchor) = next
                isSizeKnown = false  // the damaged page may no longer have the size that was counted for it
            }
            if let stored, let box = stored.repeats {
                account.repeats -= RepeatsSum(of: box.span.bytes, page: stored.place, under: store.fixed.audit)
            }
            left -= stored?.size ?? 0
            count += 1
        }
        guard account.first > first else { return 0 }
        let removal = try store.statement("DELETE FROM audit WHERE record < ?1 AND record >= ?2")
        removal.bind(1, account.first)
        removal.bind(2, first)
        try removal.run()
        self = account
        if !isSizeKnown {
            let sum = "SELECT COALESCE(SUM(LENGTH(sealed) + COALESCE(LENGTH(repeats), 0)), 0) FROM audit"
            self.bytes = try store.number(store.statement(sum)) ?? 0
        }
        var written: Int64 = 0
        for share in AuditShare.allCases {
            for page in sorter.pages(of: share) { written += try append(page, to: share, in: store) }
        }
        return written
    }

    /// Appends a page to a share of the archive, and returns its size.
    private mutating func append(_ page: AuditPage, to share: AuditShare, in store: Store) throws -> Int64 {
        let box = Box.seal(
            page.encoded.span.bytes, under: store.fixed.audit,
            context: AuditChain.archive(share).context(page.first, after: self[share].tag).span.bytes)
        let statement = try store.statement("INSERT INTO archive (share, record, sealed) VALUES (?, ?, ?)")
        statement.bind(1, Int64(share.rawValue))
        statement.bind(2, page.first)
        statement.bind(3, box)
        try statement.run()
        self[share].tag = Tag(box.span.bytes.extracting(last: Box.tagCount))
        self[share].bytes += Int64(box.count)
        return Int64(box.count)
    }

    /// Drops about this many bytes of the oldest pages of the shares that are too large, and counts their records.
    private mutating func dropFromArchive(_ bytes: Int64, in store: Store) throws {
        var left = bytes
        while left > 0, let share = nextToDrop {
            let chain = AuditChain.archive(share)
            let stored = try store.page(of: chain, "record > ?1 ORDER BY record", 0)
            if let stored {
                let removal = try store.statement("DELETE FROM archive WHERE share = ? AND record = ?")
                removal.bind(1, Int64(share.rawValue))
                removal.bind(2, stored.place)
                try removal.run()
                left -= stored.size
            }
            if let stored, let page = try store.whole(stored, of: chain, in: self) {
                for record in page.records { self[share].dropped.add(record) }
                self[share].anchor = stored.tag
                self[share].bytes -= stored.size
            } else {
                let next = try store.wayOn(from: stored, of: chain, in: self)
                self[share].lost.add(from: stored?.place ?? 1, to: next.place - 1)
                self[share].anchor = next.tag
                self[share].bytes = try store.archivedBytes(share)
            }
        }
    }
}

extension Store {
    /// Opens the oldest page of a chain. Returns nil if it is damaged.
    fileprivate func whole(_ stored: StoredPage, of chain: AuditChain, in account: AuditAccount) throws -> AuditPage? {
        do { return try opened(stored, of: chain, after: chain.ends(in: account).anchor) } catch is AuditDamageError {
            return nil
        }
    }

    /// Returns the place at which a chain continues after a damaged page, and the tag that its next page is sealed
    /// with. If no page follows, that is the end of the chain.
    fileprivate func wayOn(
        from stored: StoredPage?, of chain: AuditChain, in account: AuditAccount
    ) throws -> (place: Int64, tag: Tag) {
        if let stored, let next = try page(of: chain, "record > ?1 ORDER BY record", stored.place),
            next.place <= account.records
        {
            return (next.place, stored.tag)
        }
        return (account.records + 1, chain.ends(in: account).tag)
    }

    /// Counts the bytes of a share in the database.
    fileprivate func archivedBytes(_ share: AuditShare) throws -> Int64 {
        let sum = try statement("SELECT COALESCE(SUM(LENGTH(sealed)), 0) FROM archive WHERE share = ?")
        sum.bind(1, Int64(share.rawValue))
        return try number(sum) ?? 0
    }
}

/// Sorts records into the shares of the archive. Equal refusals are merged into one record, and so are all misses of
/// one caller.
private struct AuditSorter {
    private var lines: [AuditShare: [(shape: Int, line: AuditPage.Line)]] = [:]
    private var shapes: [AuditPage.Shape] = []
    private var known: [AuditPage.Shape: Int] = [:]
    private var refusals: [Int: [Tag?: Int]] = [:]

    mutating func add(_ page: AuditPage) {
        var (own, alike, isMiss): ([Int], [Int], [Bool]) = ([], [], [])
        for shape in page.shapes {
            var common = shape
            common.process = 0  // refusals by different agents count as equal
            own.append(place(of: shape))
            alike.append(place(of: common))
            isMiss.append(shape.isMiss)
        }
        for line in page.lines {
            let share = AuditShare(page.shapes[line.shape].kind)
            if share == .refusals {
                let subject = isMiss[line.shape] ? nil : line.subject
                if let former = refusals[alike[line.shape]]?[subject] {
                    lines[share]?[former].line.count(in: line)
                    continue
                }
                refusals[alike[line.shape], default: [:]][subject] = lines[share]?.count ?? 0
            }
            lines[share, default: []].append((own[line.shape], line))
        }
    }

    private mutating func place(of shape: AuditPage.Shape) -> Int {
        if let place = known[shape] { return place }
        shapes.append(shape)
        known[shape] = shapes.count - 1
        return shapes.count - 1
    }

    func pages(of share: AuditShare) -> [AuditPage] {
        var pages: [AuditPage] = []
        var page = AuditPage()
        var places: [Int: Int] = [:]
        for (shape, line) in lines[share] ?? [] {
            var line = line
            if let place = places[shape] {
                line.shape = place
            } else {
                line.shape = page.shape(shapes[shape])
                places[shape] = line.shape
            }
            page.add(line)
            if page.isFull {
                pages.append(page)
                page = AuditPage()
                places.removeAll()
            }
        }
        if !page.lines.isEmpty { pages.append(page) }
        return pages
    }
}

extension AuditPage.Shape {
    /// True if the records were denied because there is no such item.
    fileprivate var isMiss: Bool { kind == .denied && rules.last == Rule.itemNotFound.identifier }
}

extension AuditPage.Line {
    /// Adds the count and the times of an equal record.
    fileprivate mutating func count(in other: Self) {
        count = UInt32(clamping: UInt64(count) + UInt64(other.count))
        hour = min(hour, other.hour)
        last = max(last, other.last)
    }
}
