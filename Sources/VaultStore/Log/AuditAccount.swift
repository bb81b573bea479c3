package import SodiumKit

/// The ledger's account of the audit log: the first and last tags of its chains, their sizes, and the records that are
/// gone.
///
/// New records are written in pages to one chain, the live log. When that is full, its oldest pages are sorted into the
/// archive, which has a chain for each share. A chain loses pages only at its beginning. The tag of the last page that
/// it lost is its anchor.
package struct AuditAccount: Equatable, Sendable {
    /// The records that a share of the archive has dropped.
    package struct Dropped: Equatable, Sendable {
        package var records: Int64 = 0
        /// The sum of their counts.
        package var times: Int64 = 0
        /// The time of the earliest.
        package var first: Int64 = 0
        /// The time of the last repeat.
        package var last: Int64 = 0
        /// The place of the last record.
        package var place: Int64 = 0

        package mutating func add(_ record: AuditRecord) {
            first = records == 0 ? record.hour : min(first, record.hour)
            last = records == 0 ? record.last : max(last, record.last)
            records += 1
            times += Int64(record.count)
            place = max(place, record.place)
        }
    }

    /// The range of places in which damaged records were dropped.
    package struct Lost: Equatable, Sendable {
        /// The place of the first damaged record; 0 if there are none.
        package var first: Int64 = 0
        /// The place of the last damaged record.
        package var last: Int64 = 0

        package mutating func add(from first: Int64, to last: Int64) {
            self.first = self.first == 0 ? first : min(self.first, first)
            self.last = max(self.last, last)
        }
    }

    /// One share of the archive.
    package struct Share: Equatable, Sendable {
        /// The tag of the last page that it has dropped.
        package var anchor = Tag.none
        /// The tag of its last page.
        package var tag = Tag.none
        /// The size of its pages in bytes.
        package var bytes: Int64 = 0
        package var dropped = Dropped()
        var lost = Lost()

        package init() {}
    }

    /// The number of records ever written.
    package var records: Int64 = 0
    /// The tag of the last page of the live log.
    package var tag = Tag.none
    /// The place of the first record of the live log.
    package var first: Int64 = 1
    /// The tag of the last page that was moved to the archive.
    package var anchor = Tag.none
    /// The size of the live log in bytes.
    package var bytes: Int64 = 0
    /// The sum over all pages of a keyed hash of their repeats, in two halves modulo 2⁶⁴.
    var repeats = RepeatsSum()
    /// The damaged records that the live log has dropped.
    var lost = Lost()
    private var shares = [Share](repeating: Share(), count: AuditShare.allCases.count)
    /// The limit of live log and archive together, in bytes.
    package var limit = AuditSize.usual

    package init() {}

    package subscript(share: AuditShare) -> Share {
        get { shares[Int(share.rawValue) - 1] }
        set { shares[Int(share.rawValue) - 1] = newValue }
    }

    /// The size above which pages of the live log are moved to the archive.
    var liveLimit: Int64 { limit / 4 }

    /// The share that loses its oldest page next; nil as long as the archive has room. Refusals go first and then
    /// events, each down to an eighth of the limit. Grants go last.
    var nextToDrop: AuditShare? {
        guard AuditShare.allCases.reduce(0, { $0 + self[$1].bytes }) > limit - liveLimit else { return nil }
        return [.refusals, .events].first { self[$0].bytes > limit / 8 } ?? .grants
    }
}

extension AuditAccount: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("records", &records)
        try coder.number("first", &first)
        try coder.number("bytes", &bytes)
        try coder.number("limit", &limit)
        try coder.tag("tag", &tag)
        try coder.tag("anchor", &anchor)
        try coder.number("repeats", &repeats.low)
        try coder.number("repeats", &repeats.high)
        try coder.number("lost", &lost.first)
        try coder.number("lost", &lost.last)
        for place in shares.indices { try coder.value("shares", &shares[place]) }
    }
}

extension AuditAccount.Share: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.tag("anchor", &anchor)
        try coder.tag("tag", &tag)
        try coder.number("bytes", &bytes)
        try coder.number("dropped", &dropped.records)
        try coder.number("dropped", &dropped.times)
        try coder.number("dropped", &dropped.first)
        try coder.number("dropped", &dropped.last)
        try coder.number("dropped", &dropped.place)
        try coder.number("lost", &lost.first)
        try coder.number("lost", &lost.last)
    }
}

/// A sum over the repeats of all pages. It shows if older repeats were put back.
struct RepeatsSum: Equatable, Sendable {
    fileprivate(set) var low: UInt64 = 0
    fileprivate(set) var high: UInt64 = 0

    init(low: UInt64 = 0, high: UInt64 = 0) {
        self.low = low
        self.high = high
    }

    /// Creates the part that one page contributes to the sum.
    init(of box: RawSpan, page: Int64, under key: borrowing Key) {
        var bytes = Array("repeats".utf8)
        bytes.write(page)
        bytes.write(raw: box.extracting(last: Box.tagCount))
        let tag = Tag(of: bytes.span.bytes, under: key)
        low = tag.low
        high = tag.withBytes { $0.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self) }
    }

    static func += (left: inout Self, right: Self) {
        left.low &+= right.low
        left.high &+= right.high
    }

    static func -= (left: inout Self, right: Self) {
        left.low &-= right.low
        left.high &-= right.high
    }
}
