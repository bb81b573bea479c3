internal import SodiumKit

/// A chain of pages: each is sealed together with the tag of the one before it.
enum AuditChain: Hashable {
    /// The newest records, in the order in which they were written.
    case live
    /// A share of the archive.
    case archive(AuditShare)

    static let all = [live] + AuditShare.allCases.map { archive($0) }

    /// Returns the context that seals the page whose first record is at `place`.
    func context(_ place: Int64, after tag: Tag) -> [UInt8] {
        var context: [UInt8]
        switch self {
        case .live: context = Array("audit".utf8)
        case .archive(let share):
            context = Array("archive".utf8)
            context.write(share.rawValue)
        }
        context.write(place)
        context.write(tag)
        return context
    }

    /// Returns the context that seals the repeats of a page.
    static func repeatsContext(_ page: Int64) -> [UInt8] {
        var context = Array("repeats".utf8)
        context.write(page)
        return context
    }

    /// Returns the tag before the first page that is left, and the tag of the last page.
    func ends(in account: AuditAccount) -> (anchor: Tag, tag: Tag) {
        switch self {
        case .live: (account.anchor, account.tag)
        case .archive(let share): (account[share].anchor, account[share].tag)
        }
    }

    /// Returns what the chain has lost to damage.
    func lost(in account: AuditAccount) -> AuditAccount.Lost {
        switch self {
        case .live: account.lost
        case .archive(let share): account[share].lost
        }
    }

    /// The name of the chain in a finding of `verify`.
    var word: String {
        switch self {
        case .live: "latest records"
        case .archive(let share): share.word
        }
    }

    /// Selects pages of the chain, of which `condition` says which, with ?1 for a place.
    func query(_ columns: String, _ condition: String) -> String {
        switch self {
        case .live: "SELECT \(columns) FROM audit WHERE \(condition)"
        case .archive(let share):
            "SELECT \(columns) FROM archive WHERE share = \(share.rawValue) AND \(condition)"
        }
    }
}

/// A page as the database has it.
struct StoredPage {
    let place: Int64
    let box: [UInt8]
    /// How often its records have happened again, sealed; only the live log has that.
    let repeats: [UInt8]?

    /// Its tag; none where it is no box.
    var tag: Tag { box.count < Box.overhead ? .none : Tag(box.span.bytes.extracting(last: Box.tagCount)) }
    var size: Int64 { Int64(box.count + (repeats?.count ?? 0)) }
}

/// The log is damaged: a record at this place or after it is not what was written.
struct AuditDamageError: Error {
    let place: Int64
}

extension Store {
    /// The first page that fits `condition`, in which ?1 is `place`.
    func page(of chain: AuditChain, _ condition: String, _ place: Int64) throws -> StoredPage? {
        let columns = chain == .live ? "record, sealed, repeats" : "record, sealed, NULL"
        let statement = try statement(chain.query(columns, condition) + " LIMIT 1")
        statement.bind(1, place)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return StoredPage(
            place: statement.number(0), box: statement.bytes(1).map { [UInt8]($0) } ?? [],
            repeats: statement.bytes(2).map { [UInt8]($0) })
    }

    /// The records of a page that comes after the one of this tag, with what was repeated of them.
    func opened(_ stored: StoredPage, of chain: AuditChain, after tag: Tag) throws -> AuditPage {
        let opened = try Box.open(
            stored.box.span.bytes, under: fixed.audit, context: chain.context(stored.place, after: tag).span.bytes)
        guard let opened else { throw AuditDamageError(place: stored.place) }
        return try opened.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                do {
                    var page = try AuditPage(decoding: bytes, first: stored.place)
                    if let box = stored.repeats { try repeats(in: box, of: stored.place).add(to: &page) }
                    return page
                } catch is ByteReader.FormatError { throw AuditDamageError(place: stored.place) }
            }
        }
    }
}
