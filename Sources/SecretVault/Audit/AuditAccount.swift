internal import SodiumKit

/// What the ledger knows of the audit log: where its chains begin and end, how large they are, and what is gone.
///
/// New records are pages of one chain, the live log. When it is full, its oldest pages are sorted into the archive, which has
/// a chain for each share. A chain loses pages only at its beginning; the tag of the last page that it lost is its anchor.
struct AuditAccount: Equatable, Sendable {
    /// What one share of the archive has dropped.
    struct Dropped: Equatable, Sendable {
        /// How many records.
        var records: Int64 = 0
        /// How often something was recorded in them.
        var times: Int64 = 0
        /// When the first of them began.
        var first: Int64 = 0
        /// When the last of them ended.
        var last: Int64 = 0
        /// The place of the last one.
        var place: Int64 = 0

        mutating func add(_ record: AuditRecord) {
            first = records == 0 ? record.hour : min(first, record.hour)
            last = records == 0 ? record.last : max(last, record.last)
            records += 1
            times += Int64(record.count)
            place = max(place, record.place)
        }
    }

    /// What was damaged and had to make room: between which places records are gone that nobody could read any more.
    struct Lost: Equatable, Sendable {
        /// The place of the first of them; 0 where there are none.
        var first: Int64 = 0
        /// The place of the last one.
        var last: Int64 = 0

        mutating func add(from first: Int64, to last: Int64) {
            self.first = self.first == 0 ? first : min(self.first, first)
            self.last = max(self.last, last)
        }
    }

    /// One share of the archive.
    struct Share: Equatable, Sendable {
        /// The tag of the last page that it has dropped.
        var anchor = Tag.none
        /// The tag of its last page.
        var tag = Tag.none
        /// How many bytes its pages have.
        var bytes: Int64 = 0
        var dropped = Dropped()
        var lost = Lost()
    }

    /// How many records there have ever been.
    var records: Int64 = 0
    /// The tag of the last page of the live log.
    var tag = Tag.none
    /// The place of the first record of the live log.
    var first: Int64 = 1
    /// The tag of the last page that went to the archive.
    var anchor = Tag.none
    /// How many bytes the pages of the live log have; nil in a ledger that knew nothing of that.
    var bytes: Int64? = 0
    /// The sum of a keyed hash of the repeats of each page, in two halves modulo 2⁶⁴.
    var repeats = RepeatsSum()
    /// What the live log has lost.
    var lost = Lost()
    private var shares = [Share](repeating: Share(), count: AuditShare.allCases.count)
    /// How many bytes live log and archive may have together.
    var limit = AuditSize.usual

    subscript(share: AuditShare) -> Share {
        get { shares[Int(share.rawValue) - 1] }
        set { shares[Int(share.rawValue) - 1] = newValue }
    }

    /// From how many bytes on the live log gives pages to the archive.
    var liveLimit: Int64 { limit / 4 }

    /// The share that loses its oldest page next; nil as long as the archive has room. Refusals go first, then events, down
    /// to an eighth of all; only then grants.
    var nextToDrop: AuditShare? {
        guard AuditShare.allCases.reduce(0, { $0 + self[$1].bytes }) > limit - liveLimit else { return nil }
        return [.refusals, .events].first { self[$0].bytes > limit / 8 } ?? .grants
    }
}

extension AuditAccount: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.number("records", &records)
        try coder.number("first", &first)
        var known = bytes ?? -1
        try coder.number("bytes", &known)
        bytes = known < 0 ? nil : known
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
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
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

/// A sum over the repeats of all pages, so that older ones put back do not go unseen.
struct RepeatsSum: Equatable, Sendable {
    fileprivate(set) var low: UInt64 = 0
    fileprivate(set) var high: UInt64 = 0

    init(low: UInt64 = 0, high: UInt64 = 0) {
        self.low = low
        self.high = high
    }

    /// The part of one page.
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
