package import AccessPolicy
package import SodiumKit

/// The records that wait to be written. Equal decisions share one record with a count, and so do the misses of one
/// program.
///
/// Every read adds a record here, so a decision waits as plain values. They become words when they are written.
package struct AuditLog {
    /// A record that waits to be written.
    ///
    /// Every read looks for a decision equal to its own. The fields that it compares and changes come first, so that they
    /// share one line of the processor's cache.
    fileprivate struct Pending {
        let kind: AuditRecord.Kind
        let action: Action?
        /// The rule that decided; nil for an event.
        let rule: Rule?
        /// True for a request that was denied because there is no such item.
        var isMiss = false
        var count: UInt32 = 1
        var last: Int64
        let subject: Tag?
        let caller: String
        let program: String
        /// The word of the event or of the request; empty for a decision about an item.
        let word: String
        let trace: Trace
        let hour: Int64
        /// The access to a file and its rule; nil for everything else.
        var file: FileVerdict?
        /// The slot in the table of decisions.
        var slot = 0
    }

    /// False for a vault in memory, which keeps no audit log.
    package let isOn: Bool
    package let process: UInt64
    private var written: UInt64 = 0
    /// The number of records that the open transaction writes.
    private var writing: UInt64 = 0
    private var memory = AuditMemory()
    private var pending: [Pending] = []
    /// A hash table of decisions, with their places in `pending` counted from one. At least half of it is empty.
    private var slots: [Int32] = []
    private var decisions = 0

    /// The number of records that can wait. Once as many wait, requests are refused.
    package static let capacity = 16_384
    /// The largest number of records that one call adds.
    private static let reserve = 64

    package init(isOn: Bool) {
        self.isOn = isOn
        process = Sodium.randomBytes(8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    package var isFull: Bool { pending.count >= Self.capacity }
    /// True if the records should be written now, before a request has to be refused.
    package var isNearlyFull: Bool { pending.count >= Self.capacity - Self.reserve }
    package var isEmpty: Bool { pending.isEmpty }
    /// The number of records that wait.
    package var count: Int { pending.count }

    /// Records a decision about a request of `caller`, which is a part of `program`. `word` names a request that has no
    /// `action` on an item.
    package mutating func add(
        _ decision: Decision, _ trace: borrowing Trace, _ action: Action?, on subject: Tag, by caller: String,
        of program: String, hour: Int64, word: String = "evaluate"
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
            // A span gives access to the record, while a subscript would copy it.
            let isSame =
                isMiss
                ? pending.span[place].isMiss(action, program)
                : pending.span[place].isSame(kind, action, subject, rule, caller)
            if isSame {
                pending[place].count = pending[place].count == .max ? .max : pending[place].count + 1
                pending[place].last = hour
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        pending.append(
            Pending(
                kind: kind, action: action, rule: rule, isMiss: isMiss, last: hour, subject: subject,
                caller: caller, program: program, word: action == nil ? word : "", trace: copy trace,
                hour: hour, slot: slot))
        slots[slot] = Int32(pending.count)
        decisions += 1
    }

    /// Records a decision about a file.
    package mutating func add(
        _ verdict: FileVerdict, on subject: Tag, by caller: String, of program: String, hour: Int64
    ) {
        guard isOn else { return }
        let kind: AuditRecord.Kind = verdict.rule.facts.effect == .allows ? .granted : .denied
        if slots.count < 2 * (decisions + 1) { growSlots() }
        var slot = home(of: subject)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if pending.span[place].isSame(kind, verdict, subject, caller) {
                pending[place].count = pending[place].count == .max ? .max : pending[place].count + 1
                pending[place].last = hour
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        pending.append(
            Pending(
                kind: kind, action: nil, rule: nil, last: hour, subject: subject, caller: caller,
                program: program, word: verdict.access.auditWord, trace: Trace(), hour: hour, file: verdict,
                slot: slot))
        slots[slot] = Int32(pending.count)
        decisions += 1
    }

    /// Records an event of the device or the vault. If a caller repeats the last event, its record is counted up.
    package mutating func add(
        _ kind: AuditRecord.Kind, _ what: String, by caller: String = "", of program: String? = nil, hour: Int64
    ) {
        guard isOn else { return }
        if let program, let last = pending.indices.last, pending[last].kind == kind, pending[last].word == what,
            pending[last].program == program
        {
            pending[last].count = pending[last].count == .max ? .max : pending[last].count + 1
            pending[last].last = hour
            return
        }
        pending.append(
            Pending(
                kind: kind, action: nil, rule: nil, last: hour, subject: nil, caller: caller, program: program ?? "",
                word: what, trace: Trace(), hour: hour))
    }

    // MARK: - Writing

    /// The records to write: new ones, and repeats of earlier ones by page and line.
    struct Delivery {
        /// A new record: one of `pending`, with the count of the others that it stands for.
        fileprivate struct Fresh {
            let pending: Int
            /// The key by which repeats find the record; nil if it never counts repeats.
            let key: AuditKey?
            var count: UInt32
            var last: Int64

            mutating func count(in other: Pending) {
                count = UInt32(clamping: UInt64(count) + UInt64(other.count))
                last = max(last, other.last)
            }
        }

        fileprivate var fresh: [Fresh] = []
        package var repeats: [Int64: AuditRepeats] = [:]
    }

    /// Returns the records to write into a log of this limit. `isThere` returns false for a page that has left the live
    /// log.
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
            // The memory may have removed the item from the key, and an earlier record may have that key.
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

    /// Returns the new records in pages. The first page begins at `place`.
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

    /// Removes the records after they were written. The transaction is still open.
    package mutating func clear() {
        written += writing
        writing = 0
        for decision in pending where decision.isDecision { slots[decision.slot] = 0 }
        decisions = 0
        pending.removeAll(keepingCapacity: true)
    }

    /// Removes the records after the transaction was committed.
    package mutating func committed() {
        clear()
        memory.commit()
    }

    /// Keeps the records after the transaction was rolled back.
    package mutating func abandoned() {
        writing = 0
        memory.abandon()
    }

    // MARK: - The table

    // Subjects are keyed hashes or random numbers, so they spread evenly without another hash.
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

extension AuditLog.Pending {
    /// True for a decision. The table holds only decisions.
    fileprivate var isDecision: Bool { subject != nil }

    /// Returns true for an equal decision by the same rule.
    fileprivate func isSame(
        _ kind: AuditRecord.Kind, _ action: Action?, _ subject: Tag, _ rule: Rule?, _ caller: String
    ) -> Bool {
        self.subject == subject && self.action == action && self.kind == kind && self.rule == rule
            && self.caller == caller
    }

    /// Returns true for an equal decision about a file.
    fileprivate func isSame(
        _ kind: AuditRecord.Kind, _ verdict: FileVerdict, _ subject: Tag, _ caller: String
    ) -> Bool {
        self.subject == subject && file == verdict && self.kind == kind && self.caller == caller
    }

    /// Returns true for a miss of the same program.
    fileprivate func isMiss(_ action: Action?, _ program: String) -> Bool {
        isMiss && self.action == action && self.program == program
    }

    /// The key by which repeats find the record; nil if it never counts repeats.
    fileprivate var key: AuditKey? {
        switch kind {
        case .opened, .closed, .dropped: nil
        case .granted, .challenged, .denied, .event:
            AuditKey(
                kind: kind, action: action, word: word, subject: isMiss ? nil : subject, rule: rule, file: file,
                program: program)
        }
    }

    /// Returns the part that the record may share with other records of a page.
    fileprivate func shape(of process: UInt64) -> AuditPage.Shape {
        AuditPage.Shape(
            kind: kind, process: process, action: action?.name ?? word, caller: caller,
            rules: file.map { [$0.rule.identifier] } ?? trace.map(\.identifier))
    }

    fileprivate func hasShape(of other: Self) -> Bool {
        kind == other.kind && action == other.action && word == other.word && caller == other.caller
            && file == other.file && trace.elementsEqual(other.trace)
    }
}
