package import SodiumKit

/// A chain of pages. Each page is sealed with the tag of the page before it.
package enum AuditChain: Hashable {
    /// The newest records, in the order in which they were written.
    case live
    case archive(AuditShare)

    package static let all = [live] + AuditShare.allCases.map { archive($0) }

    /// Returns the context of the box of the page whose first record is at `place`.
    package func context(_ place: Int64, after tag: Tag) -> [UInt8] {
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

    /// Returns the context of the box of the repeats of a page.
    static func repeatsContext(_ page: Int64) -> [UInt8] {
        var context = Array("repeats".utf8)
        context.write(page)
        return context
    }

    /// Returns the tag that the first remaining page is sealed with, and the tag of the last page.
    package func ends(in account: AuditAccount) -> (anchor: Tag, tag: Tag) {
        switch self {
        case .live: (account.anchor, account.tag)
        case .archive(let share): (account[share].anchor, account[share].tag)
        }
    }

    /// Returns the damaged records that the chain has dropped.
    package func lost(in account: AuditAccount) -> AuditAccount.Lost {
        switch self {
        case .live: account.lost
        case .archive(let share): account[share].lost
        }
    }

    /// The name of the chain in a finding of `verify`.
    package var word: String {
        switch self {
        case .live: "latest records"
        case .archive(let share): share.word
        }
    }

    /// Returns the SQL that selects the pages of the chain that meet `condition`, in which `?1` is a place.
    package func query(_ columns: String, _ condition: String) -> String {
        switch self {
        case .live: "SELECT \(columns) FROM audit WHERE \(condition)"
        case .archive(let share):
            "SELECT \(columns) FROM archive WHERE share = \(share.rawValue) AND \(condition)"
        }
    }
}

/// A page as it is stored in the database.
struct StoredPage {
    let place: Int64
    let box: [UInt8]
    /// The sealed repeats of its records; nil in the archive, and if there are none.
    let repeats: [UInt8]?

    /// The tag of its box; `.none` if it is too short to be one.
    var tag: Tag { box.count < Box.overhead ? .none : Tag(box.span.bytes.extracting(last: Box.tagCount)) }
    var size: Int64 { Int64(box.count + (repeats?.count ?? 0)) }
}

/// An error for a damaged log: a record at this place or after it is not the one that was written.
struct AuditDamageError: Error {
    let place: Int64
}

extension Store {
    /// Returns the first page that meets `condition`, in which `?1` is `place`.
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

    /// Opens a page that follows the one with this tag, and adds the repeats to its records.
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
