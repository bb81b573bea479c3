internal import AccessPolicy
internal import SodiumKit

/// What happened since the log was last written out. Equal decisions become one record with a count, and so do misses of one
/// program.
///
/// Every read passes through here. So a decision is kept as the plain values it consists of, and put into words when it is
/// written out.
struct AuditBuffer {
    /// Something that happened, as long as it waits to be written.
    fileprivate struct Pending {
        let kind: AuditRecord.Kind
        let subject: Tag?
        let action: Action?
        /// What happened, where it was no decision.
        let word: String
        let caller: String
        let program: String
        let trace: Trace
        let hour: Int64
        var last: Int64
        /// Whether it was denied because nothing is there.
        var isMiss = false
        /// Where it stands in the table of decisions.
        var slot = 0
        var count: UInt32 = 1
    }

    /// Whether anything is recorded: a vault in memory keeps no trail.
    let isOn: Bool
    let process: UInt64
    private var written: UInt64 = 0
    /// How many of them the transaction that is open writes.
    private var writing: UInt64 = 0
    private var memory = AuditMemory()
    private var pending: [Pending] = []
    /// A hash table of decisions: their places in `pending`, counted from one. At least half of it is empty.
    private var slots: [Int32] = []
    private var decisions = 0

    /// More than this is never held back: reads are refused before.
    static let capacity = 16_384
    /// One call leaves no more records than this.
    private static let reserve = 64

    init(isOn: Bool) {
        self.isOn = isOn
        process = Sodium.randomBytes(8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    var isFull: Bool { pending.count >= Self.capacity }
    /// Whether it is time to write it out, before anything has to be refused.
    var isNearlyFull: Bool { pending.count >= Self.capacity - Self.reserve }
    var isEmpty: Bool { pending.isEmpty }
    /// How many records wait.
    var count: Int { pending.count }

    /// Records a decision.
    /// `word` says what it was about where that was nothing that is done with an item.
    mutating func add(
        _ decision: Decision, _ trace: borrowing Trace, _ action: Action?, on subject: Tag, by caller: Caller,
        hour: Int64, word: String = "evaluate"
    ) {
        guard isOn else { return }
        let kind: AuditRecord.Kind =
            switch decision {
            case .granted: .granted
            case .challenge: .challenged
            case .denied: .denied
            }
        let rule = trace.last
        let isMiss = kind == .denied && rule == .itemNotFound
        if slots.count < 2 * (decisions + 1) { growSlots() }
        var slot = home(of: isMiss ? .none : subject)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            let isSame =
                isMiss
                ? pending[place].isMiss(action, caller.program)
                : pending[place].isSame(kind, action, subject, rule, caller.name)
            if isSame {
                pending[place].count = pending[place].count == .max ? .max : pending[place].count + 1
                pending[place].last = hour
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        pending.append(
            Pending(
                kind: kind, subject: subject, action: action, word: action == nil ? word : "",
                caller: caller.name, program: caller.program, trace: copy trace,
                hour: hour, last: hour, isMiss: isMiss, slot: slot))
        slots[slot] = Int32(pending.count)
        decisions += 1
    }

    /// Records what happened to the device or to the vault. What a caller does twice in a row is one record.
    mutating func add(_ kind: AuditRecord.Kind, _ what: String, by caller: Caller? = nil, hour: Int64) {
        guard isOn else { return }
        if let caller, let last = pending.indices.last, pending[last].kind == kind, pending[last].word == what,
            pending[last].program == caller.program
        {
            pending[last].count = pending[last].count == .max ? .max : pending[last].count + 1
            pending[last].last = hour
            return
        }
        pending.append(
            Pending(
                kind: kind, subject: nil, action: nil, word: what, caller: caller?.name ?? "",
                program: caller?.program ?? "", trace: Trace(), hour: hour, last: hour))
    }

    // MARK: - Writing

    /// What is to be written: records that are new, and repeats of those that are there, by page and line.
    struct Delivery {
        /// A record that is new: what waits at a place of `pending`, with what is counted in at once.
        fileprivate struct Fresh {
            let pending: Int
            /// What it is about, where more can be counted in.
            let key: AuditKey?
            var count: UInt32
            var last: Int64

            mutating func count(in other: Pending) {
                count = UInt32(clamping: UInt64(count) + UInt64(other.count))
                last = max(last, other.last)
            }
        }

        fileprivate var fresh: [Fresh] = []
        var repeats: [Int64: AuditRepeats] = [:]
    }

    /// Says what is to be written into a log of this limit. `isThere` says whether a page of the live log is still there.
    mutating func delivery(limit: Int64, _ isThere: (_ page: Int64) throws -> Bool) rethrows -> Delivery {
        var delivery = Delivery()
        var placed: [AuditKey: Int] = [:]
        var pages: [Int64: Bool] = [:]
        for (index, waiting) in pending.enumerated() {
            guard var key = waiting.key else {
                delivery.fresh.append(
                    Delivery.Fresh(pending: index, key: nil, count: waiting.count, last: waiting.last))
                continue
            }
            if let earlier = placed[key] {
                delivery.fresh[earlier].count(in: waiting)
                continue
            }
            if let place = memory.place(of: &key, isMiss: waiting.isMiss, at: waiting.hour, limit: limit) {
                let isThere = try pages[place.page] ?? isThere(place.page)
                pages[place.page] = isThere
                if isThere {
                    delivery.repeats[place.page, default: AuditRepeats()]
                        .add(AuditRepeats.Repeat(count: waiting.count, last: waiting.last), to: place.line)
                    continue
                }
            }
            // It may be about several items now, of which one came earlier.
            if let earlier = placed[key] {
                delivery.fresh[earlier].count(in: waiting)
                continue
            }
            placed[key] = delivery.fresh.count
            delivery.fresh.append(
                Delivery.Fresh(pending: index, key: key, count: waiting.count, last: waiting.last))
        }
        return delivery
    }

    /// What is new, in pages, the first of which begins at `place`.
    mutating func pages(of delivery: Delivery, at place: Int64) -> [AuditPage] {
        var pages: [AuditPage] = []
        var page = AuditPage()
        var former: (pending: Int, shape: Int)?
        for (offset, fresh) in delivery.fresh.enumerated() {
            let waiting = pending[fresh.pending]
            let shape: Int
            if let former, pending[former.pending].hasShape(of: waiting) {
                shape = former.shape
            } else {
                shape = page.shape(waiting.shape(of: process))
            }
            former = (fresh.pending, shape)
            page.add(
                AuditPage.Line(
                    shape: shape, place: place + Int64(offset), number: written + UInt64(offset),
                    subject: waiting.isMiss ? waiting.subject : fresh.key?.subject, count: fresh.count,
                    hour: waiting.hour, last: fresh.last))
            if let key = fresh.key {
                memory.plan(
                    key,
                    at: AuditMemory.Place(
                        page: page.first, line: UInt16(page.lines.count - 1), hour: waiting.hour))
            }
            if page.isFull {
                pages.append(page)
                page = AuditPage()
                former = nil
            }
        }
        if !page.lines.isEmpty { pages.append(page) }
        writing += UInt64(delivery.fresh.count)
        return pages
    }

    /// Everything is written out, in a transaction that is open still.
    mutating func clear() {
        written += writing
        writing = 0
        for decision in pending where decision.isDecision { slots[decision.slot] = 0 }
        decisions = 0
        pending.removeAll(keepingCapacity: true)
    }

    /// The transaction is over.
    mutating func committed() {
        clear()
        memory.commit()
    }

    /// The transaction came to nothing: what waits still waits.
    mutating func abandoned() {
        writing = 0
        memory.abandon()
    }

    // MARK: - The table

    // Subjects are keyed hashes or random numbers: as they are, they spread evenly.
    private func home(of subject: Tag) -> Int {
        Int(truncatingIfNeeded: subject.low) & (slots.count - 1)
    }

    private mutating func growSlots() {
        slots = Array(repeating: 0, count: max(64, slots.count * 2))
        for place in pending.indices {
            guard pending[place].isDecision, let subject = pending[place].subject else { continue }
            var slot = home(of: pending[place].isMiss ? .none : subject)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(place) + 1
            pending[place].slot = slot
        }
    }
}

extension AuditBuffer.Pending {
    /// Whether it is a decision, which stands in the table.
    fileprivate var isDecision: Bool { subject != nil }

    /// Whether this decision says the same as one before, by the rule that settled both.
    fileprivate func isSame(
        _ kind: AuditRecord.Kind, _ action: Action?, _ subject: Tag, _ rule: Rule?, _ caller: String
    ) -> Bool {
        self.subject == subject && self.action == action && self.kind == kind && trace.last == rule
            && self.caller == caller
    }

    /// Whether it is a miss of the same program.
    fileprivate func isMiss(_ action: Action?, _ program: String) -> Bool {
        isMiss && self.action == action && self.program == program
    }

    /// What it is about; nil for what is never counted in what was written before.
    fileprivate var key: AuditKey? {
        switch kind {
        case .opened, .closed, .dropped: nil
        case .granted, .challenged, .denied, .event:
            AuditKey(
                kind: kind, action: action, word: word, subject: isMiss ? nil : subject, rule: trace.last,
                program: program)
        }
    }

    /// What it has in common with other records of a page.
    fileprivate func shape(of process: UInt64) -> AuditPage.Shape {
        AuditPage.Shape(
            kind: kind, process: process, action: action?.name ?? word, caller: caller,
            rules: trace.map(\.identifier))
    }

    fileprivate func hasShape(of other: Self) -> Bool {
        kind == other.kind && action == other.action && word == other.word && caller == other.caller
            && trace.elementsEqual(other.trace)
    }
}
