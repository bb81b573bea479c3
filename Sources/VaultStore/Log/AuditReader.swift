internal import SodiumKit

/// A stretch of the audit log.
public struct AuditStretch: Sendable {
    /// The records, in the order in which they were asked for.
    public var records: [AuditRecord] = []
    /// The first damaged place found while reading; nil if there was none. The chain with that place yields no more
    /// records.
    public var damage: Int64?
}

/// The direction in which the log is read, and where to begin.
package enum AuditDirection {
    /// Records after this place, the oldest first.
    case after(Int64)
    /// Records before this place, the newest first.
    case before(Int64)

    /// Returns true if a record at `place` is one of those to read.
    package func reaches(_ place: Int64) -> Bool {
        switch self {
        case .after(let start): place > start
        case .before(let end): place < end
        }
    }
}

/// A reader of one chain. It reads page by page and checks that each page follows the one before it.
struct AuditReader {
    let chain: AuditChain
    private let direction: AuditDirection
    private let account: AuditAccount
    /// The place of the page that was read last.
    private var position: Int64?
    /// Forwards: the tag of the page that was read last. Backwards: the tag that the next page must have.
    private var tag: Tag?
    /// The place at which the next page of the live log begins, or before which it ends.
    private var expected: Int64?
    private var waiting: [AuditRecord] = []
    private var isAtEnd = false
    /// The first damaged place found so far.
    private(set) var damage: Int64?

    init(_ chain: AuditChain, _ direction: AuditDirection, _ account: AuditAccount) {
        self.chain = chain
        self.direction = direction
        self.account = account
        if case .after = direction { insertDropped() }
    }

    /// Returns the next record without moving past it; nil at the end, or if the chain is damaged there.
    mutating func peek(_ store: Store) throws -> AuditRecord? {
        while waiting.isEmpty {
            guard try nextPage(store) else { return nil }
        }
        return waiting.last
    }

    /// Moves past the record that ``peek(_:)`` returned.
    mutating func drop() { waiting.removeLast() }

    /// Reads one more page, and returns false if there is none.
    mutating func nextPage(_ store: Store) throws -> Bool {
        guard !isAtEnd else { return false }
        do {
            let page: AuditPage?
            switch direction {
            case .after(let start): page = try pageAfter(start, store)
            case .before(let end): page = try pageBefore(end, store)
            }
            guard let page else {
                isAtEnd = true
                if case .before = direction { insertDropped() }
                return !waiting.isEmpty
            }
            let records = page.records.filter { direction.reaches($0.place) }
            switch direction {
            case .after: waiting = records.reversed()
            case .before: waiting = records
            }
            return true
        } catch let found as AuditDamageError {
            damage = found.place
            isAtEnd = true
            return false
        }
    }

    /// Inserts the record that counts what a share has dropped, before the records that it still has.
    private mutating func insertDropped() {
        guard case .archive(let share) = chain else { return }
        let dropped = account[share].dropped
        if dropped.records > 0, direction.reaches(dropped.place) { waiting = [AuditRecord(dropped, of: share)] }
    }

    // MARK: - Forwards

    private mutating func pageAfter(_ start: Int64, _ store: Store) throws -> AuditPage? {
        let stored: StoredPage?
        if let position {
            stored = try store.page(of: chain, "record > ?1 ORDER BY record", position)
        } else {
            let bound = start == .max ? start : start + 1
            stored =
                try store.page(of: chain, "record <= ?1 ORDER BY record DESC", bound)
                ?? store.page(of: chain, "record > ?1 ORDER BY record", bound)
            if let stored { try begin(at: stored.place, store) }
        }
        guard let stored else {
            try requireEnd()
            return nil
        }
        if chain == .live, let expected, stored.place != expected { throw AuditDamageError(place: expected) }
        let page = try store.opened(stored, of: chain, after: tag ?? .none)
        position = stored.place
        tag = stored.tag
        expected = stored.place + Int64(page.lines.count)
        return page
    }

    /// Begins at the page at `place`: in the middle of the chain, or at its beginning.
    private mutating func begin(at place: Int64, _ store: Store) throws {
        if let former = try store.page(of: chain, "record < ?1 ORDER BY record DESC", place) {
            tag = former.tag
        } else {
            tag = chain.ends(in: account).anchor
            expected = account.first
        }
    }

    /// Throws unless the chain ends here.
    private func requireEnd() throws {
        let ends = chain.ends(in: account)
        let isWhole = (tag ?? ends.anchor) == ends.tag
        let end = expected ?? account.first
        if !isWhole || chain == .live && end != account.records + 1 {
            throw AuditDamageError(place: chain == .live ? end : position ?? 1)
        }
    }

    // MARK: - Backwards

    private mutating func pageBefore(_ end: Int64, _ store: Store) throws -> AuditPage? {
        let stored = try store.page(of: chain, "record < ?1 ORDER BY record DESC", position ?? end)
        let ends = chain.ends(in: account)
        guard let stored else {
            let isWhole: Bool
            if position != nil {
                isWhole = tag == ends.anchor
            } else if end == .max {
                isWhole = ends.tag == ends.anchor
            } else {
                isWhole = chain != .live || end <= account.first
            }
            if !isWhole { throw AuditDamageError(place: expected ?? account.first) }
            return nil
        }
        // The page that was read before is sealed with the tag of this one. The ledger has the tag of the last page.
        if let tag, stored.tag != tag { throw AuditDamageError(place: stored.place) }
        if position == nil, end == .max, stored.tag != ends.tag { throw AuditDamageError(place: stored.place) }
        let former = try store.page(of: chain, "record < ?1 ORDER BY record DESC", stored.place)
        if former == nil, chain == .live, stored.place != account.first { throw AuditDamageError(place: account.first) }
        let before = former?.tag ?? ends.anchor
        let page = try store.opened(stored, of: chain, after: before)
        position = stored.place
        tag = before
        expected = stored.place
        return page
    }
}

extension Store {
    /// Reads at most `limit` records, and only the pages that contain them. The chains of the live log and the archive
    /// are read side by side, a page of each at a time.
    package func auditStretch(
        _ direction: AuditDirection, atMost limit: Int, _ account: AuditAccount
    ) throws -> AuditStretch {
        var stretch = AuditStretch()
        var readers = AuditChain.all.map { AuditReader($0, direction, account) }
        while stretch.records.count < limit {
            var next: (reader: Int, record: AuditRecord)?
            for place in readers.indices {
                guard let record = try readers[place].peek(self) else { continue }
                guard let best = next?.record.place else {
                    next = (place, record)
                    continue
                }
                let isEarlier =
                    switch direction {
                    case .after: record.place < best
                    case .before: record.place > best
                    }
                if isEarlier { next = (place, record) }
            }
            guard let next else { break }
            stretch.records.append(next.record)
            readers[next.reader].drop()
        }
        stretch.damage = readers.compactMap(\.damage).min()
        return stretch
    }

    /// Returns the first damaged place of the log, as ``Vault/verify()`` names it; nil if the whole log is intact.
    package func firstAuditDamage(_ account: AuditAccount) throws -> Int64? {
        try AuditChain.all.compactMap { try damage(of: $0, account) }.min()
    }

    /// Reads every page of a chain, and returns the first damaged place; nil if there is none.
    package func damage(of chain: AuditChain, _ account: AuditAccount) throws -> Int64? {
        var reader = AuditReader(chain, .after(.min), account)
        while try reader.nextPage(self) {}
        if let damage = reader.damage { return damage }
        guard chain == .live else { return nil }
        var sum = RepeatsSum()
        let scan = try statement("SELECT record, repeats FROM audit WHERE repeats IS NOT NULL")
        defer { scan.reset() }
        while try scan.step() {
            guard let box = scan.bytes(1), box.count >= Box.overhead else { return scan.number(0) }
            sum += RepeatsSum(of: box.bytes, page: scan.number(0), under: fixed.audit)
        }
        return sum == account.repeats ? nil : account.first
    }
}
