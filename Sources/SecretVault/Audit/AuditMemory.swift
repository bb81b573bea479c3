internal import AccessPolicy
internal import SodiumKit

/// What two records share that are about the same: who does what to which item, and what comes of it.
struct AuditKey: Hashable, Sendable {
    let kind: AuditRecord.Kind
    let action: Action?
    let word: String
    /// The item. For one that is not there it is none: misses of one program are about the same, whatever they look for. It is
    /// also none where several items are counted together.
    var subject: Tag?
    let rule: Rule?
    let program: String
}

/// Remembers what was written in the last day, so that what a program goes on doing is counted in the record that is there.
///
/// What a program does becomes records of their own as long as they are few. What it repeats: one a minute, and ``burst`` at
/// once. What it adds, changes and deletes, of whichever items, and what is refused of that: as many again. What it
/// looks at and what it uses is of more worth to whoever reads the log: each time as many items as ``AuditSize`` has room for.
/// Beyond that it is counted: repeats in the record of the same item, the rest in one record a minute that names no
/// item. Its misses become one record a minute at most.
///
/// It is of one process, and begins empty: what was written by others is not counted in.
struct AuditMemory {
    /// Where a record is.
    struct Place {
        /// The place of the first record of its page.
        let page: Int64
        let line: UInt16
        /// When it was written first.
        let hour: Int64
    }

    /// What is measured of a program.
    private struct Measure: Hashable {
        let program: String
        /// What it does for the first time, and what comes of it; nil for what it repeats.
        var new: New?

        struct New: Hashable {
            let conduct: Conduct
            let kind: AuditRecord.Kind
        }
    }

    /// What is done with an item, by what its record is worth.
    private enum Conduct {
        case change, look, use

        init(_ action: Action?) {
            switch action {
            case .add, .update, .judgeDuplicate, .delete: self = .change
            case nil, .readAttributes, .readReference, .probe, .inventory: self = .look
            case .readData, .sign, .agree, .decapsulate, .attest: self = .use
            }
        }

        /// How many records of it a program may have at once, in a log of this limit.
        func burst(_ limit: Int64) -> Int64 {
            switch self {
            case .change: AuditMemory.burst
            case .look, .use: AuditSize.room(in: limit)
            }
        }
    }

    /// What a program may still have in records of their own.
    private struct Allowance {
        var left: Int64
        var refilled: Int64

        /// Takes one, if there is one. In a day they are all there again, and one a minute at least.
        mutating func take(at hour: Int64, of burst: Int64) -> Bool {
            let minutes = (hour - refilled) / AuditMemory.minute
            if minutes != 0 {
                // A clock that was set back gives nothing.
                let (sum, isMore) = max(0, minutes).multipliedReportingOverflow(
                    by: max(1, burst * AuditMemory.minute / AuditMemory.day))
                left = isMore || sum > burst - left ? burst : left + sum
                refilled = hour
            }
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    private var places: [AuditKey: Place] = [:]
    private var allowances: [Measure: Allowance] = [:]
    /// When the last miss of a program became a record of its own.
    private var misses: [String: Int64] = [:]
    /// What the transaction that is open has written; nothing of it counts before it is committed.
    private var planned: [(key: AuditKey, place: Place)] = []

    /// How many repeats a program may have in records of their own at once, and how many changes.
    static let burst: Int64 = 64
    /// How many different ones are remembered. With one more, all are forgotten, and what goes on begins a new record.
    static let capacity = 65_536
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// Where to count in what happens at `hour`, in a log of this limit; nil where it becomes a record. `key` then says what
    /// that record is about: no item, where others will be counted in.
    mutating func place(of key: inout AuditKey, isMiss: Bool, at hour: Int64, limit: Int64) -> Place? {
        let former = places[key].flatMap { (0..<Self.day).contains(hour - $0.hour) ? $0 : nil }
        if isMiss { return misses(of: key, at: hour, former) }
        if let former { return takes(Measure(program: key.program), at: hour, of: Self.burst) ? nil : former }
        if key.subject == nil { return nil }
        let conduct = Conduct(key.action)
        let measure = Measure(program: key.program, new: Measure.New(conduct: conduct, kind: key.kind))
        if takes(measure, at: hour, of: conduct.burst(limit)) { return nil }
        key.subject = nil
        guard let place = places[key], (0..<Self.minute).contains(hour - place.hour) else { return nil }
        return place
    }

    /// Whether a program may have one more record of its own now.
    private mutating func takes(_ measure: Measure, at hour: Int64, of burst: Int64) -> Bool {
        if allowances.count >= Self.capacity { allowances.removeAll() }
        return allowances[measure, default: Allowance(left: burst, refilled: hour)].take(at: hour, of: burst)
    }

    /// Returns the record to count a miss in; nil if it gets a record of its own.
    private mutating func misses(of key: AuditKey, at hour: Int64, _ former: Place?) -> Place? {
        if let former, let last = misses[key.program], (0..<Self.minute).contains(hour - last) { return former }
        if misses.count >= Self.capacity { misses.removeAll() }
        misses[key.program] = hour
        return nil
    }

    /// Notes that a record is at `place`, once the transaction that writes it is committed.
    mutating func plan(_ key: AuditKey, at place: Place) { planned.append((key, place)) }

    /// What was planned is there.
    mutating func commit() {
        for (key, place) in planned {
            if places.count >= Self.capacity { places.removeAll(keepingCapacity: true) }
            places[key] = place
        }
        planned.removeAll(keepingCapacity: true)
    }

    /// What was planned is not there.
    mutating func abandon() { planned.removeAll() }
}
