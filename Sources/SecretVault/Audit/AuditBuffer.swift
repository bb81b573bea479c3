internal import AccessPolicy
internal import SodiumKit

/// What happened since the trail was last written out. Equal decisions become one record with a count.
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
        let trace: Trace
        let hour: Int64
        /// Where it stands in the table of decisions.
        var slot = 0
        var count: UInt32 = 1
    }

    /// Whether anything is recorded: a vault in memory keeps no trail.
    let isOn: Bool
    let process: UInt64
    private var written: UInt64 = 0
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
        if slots.count < 2 * (decisions + 1) { growSlots() }
        var slot = home(of: subject)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if pending[place].isSame(kind, action, subject, rule, caller.name) {
                pending[place].count &+= 1
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        pending.append(
            Pending(
                kind: kind, subject: subject, action: action, word: action == nil ? word : "",
                caller: caller.name, trace: copy trace,
                hour: hour, slot: slot))
        slots[slot] = Int32(pending.count)
        decisions += 1
    }

    /// Records what happened to the device or to the vault.
    mutating func add(_ kind: AuditRecord.Kind, _ what: String, by caller: String = "", hour: Int64) {
        guard isOn else { return }
        pending.append(
            Pending(kind: kind, subject: nil, action: nil, word: what, caller: caller, trace: Trace(), hour: hour))
    }

    // Actions and rules as they are written, by number: to put each into words anew would take longer than to seal it.
    private static let actions = Action.allCases.map { encoded("\($0)") }
    private static let rules = Rule.allCases.map { encoded($0.identifier) }

    private static func encoded(_ word: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.write(text: word)
        return bytes
    }

    /// Appends everything that waits to `page`, record by record as ``AuditRecord`` reads it, and lets `filled` look at the
    /// page after each.
    func write(to page: inout [UInt8], _ filled: (inout [UInt8]) throws -> Void) rethrows {
        for (place, pending) in pending.enumerated() {
            page.write(pending.kind.rawValue)
            page.write(process)
            page.write(written + UInt64(place))
            page.write(UInt32(pending.subject == nil ? 0 : Tag.count))
            if let subject = pending.subject { page.write(subject) }
            if let action = pending.action {
                page += Self.actions[Int(action.rawValue)]
            } else {
                page.write(text: pending.word)
            }
            page.write(text: pending.caller)
            page.write(UInt8(pending.trace.count))
            for rule in pending.trace { page += Self.rules[Int(rule.rawValue)] }
            page.write(pending.count)
            page.write(pending.hour)
            try filled(&page)
        }
    }

    /// Everything is written out.
    mutating func clear() {
        written += UInt64(pending.count)
        for decision in pending where decision.subject != nil { slots[decision.slot] = 0 }
        decisions = 0
        pending.removeAll(keepingCapacity: true)
    }

    // MARK: - The table

    // Subjects are keyed hashes or random numbers: as they are, they spread evenly.
    private func home(of subject: Tag) -> Int {
        Int(truncatingIfNeeded: subject.low) & (slots.count - 1)
    }

    private mutating func growSlots() {
        slots = Array(repeating: 0, count: max(64, slots.count * 2))
        for place in pending.indices {
            guard let subject = pending[place].subject else { continue }
            var slot = home(of: subject)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(place) + 1
            pending[place].slot = slot
        }
    }
}

extension AuditBuffer.Pending {
    /// Whether this decision says the same as one before, by the rule that settled both.
    fileprivate func isSame(
        _ kind: AuditRecord.Kind, _ action: Action?, _ subject: Tag, _ rule: Rule?, _ caller: String
    ) -> Bool {
        self.subject == subject && self.action == action && self.kind == kind && trace.last == rule
            && self.caller == caller
    }
}
