internal import AccessPolicy
internal import SodiumKit

/// The part that is equal in two records of the same thing: caller, action, item and decision.
struct AuditKey: Hashable, Sendable {
    let kind: AuditRecord.Kind
    let action: Action?
    let word: String
    /// The item. It is nil for a miss, because all misses of a program are counted together, and for a record that counts
    /// several items.
    var subject: Tag?
    let rule: Rule?
    let program: String
}

/// Remembers the records of the last day, so that a program's repeats are counted in a record that exists.
///
/// A program gets records of its own within these bounds:
/// - repeats: one a minute, and ``burst`` at once;
/// - adds, changes and deletes of any items: the same bound again;
/// - looks and uses, which matter most to the reader of the log: as many items as ``AuditSize`` has room for;
/// - misses: one a minute.
///
/// Everything beyond is counted: a repeat in the record of its item, the rest in one record a minute that names no item.
///
/// The memory belongs to one process and begins empty. It does not count in the records of other processes.
struct AuditMemory {
    /// The location of a record.
    struct Place {
        /// The place of the first record of its page.
        let page: Int64
        let line: UInt16
        /// The time of its first writing.
        let hour: Int64
    }

    /// A quantity of which a program has an allowance.
    private struct Measure: Hashable {
        let program: String
        /// A first request of some conduct, and the decision; nil for repeats.
        var new: New?

        struct New: Hashable {
            let conduct: Conduct
            let kind: AuditRecord.Kind
        }
    }

    /// A kind of request, by the worth of its record.
    private enum Conduct {
        case change, look, use

        init(_ action: Action?) {
            switch action {
            case .add, .update, .checkDuplicate, .delete: self = .change
            case nil, .readAttributes, .readReference, .probe, .inventory: self = .look
            case .readData, .sign, .agree, .decapsulate, .attest: self = .use
            }
        }

        /// Returns how many such records a program may have at once in a log of this limit.
        func burst(_ limit: Int64) -> Int64 {
            switch self {
            case .change: AuditMemory.burst
            case .look, .use: AuditSize.room(in: limit)
            }
        }
    }

    /// The number of records of its own that a program has left.
    private struct Allowance {
        var left: Int64
        var refilled: Int64

        /// Takes one, and returns false if none is left. They come back within a day, and at least one a minute.
        mutating func consume(at hour: Int64, of burst: Int64) -> Bool {
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
    /// The times at which the last miss of a program became a record of its own.
    private var misses: [String: Int64] = [:]
    /// The records of the open transaction. They count once it is committed.
    private var planned: [(key: AuditKey, place: Place)] = []

    /// The number of repeats, and of changes, that get records of their own at once.
    static let burst: Int64 = 64
    /// The number of records to remember. One more empties the memory, and repeats begin new records.
    static let capacity = 65_536
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// Returns the record to count a request at `hour` in; nil if it gets a record of its own.
    ///
    /// `key` then is the key of that record, without an item if the record will count several. `limit` is that of the log.
    mutating func place(of key: inout AuditKey, isMiss: Bool, at hour: Int64, limit: Int64) -> Place? {
        let former = places[key].flatMap { (0..<Self.day).contains(hour - $0.hour) ? $0 : nil }
        if isMiss { return misses(of: key, at: hour, former) }
        if let former { return consumes(Measure(program: key.program), at: hour, of: Self.burst) ? nil : former }
        if key.subject == nil { return nil }
        let conduct = Conduct(key.action)
        let measure = Measure(program: key.program, new: Measure.New(conduct: conduct, kind: key.kind))
        if consumes(measure, at: hour, of: conduct.burst(limit)) { return nil }
        key.subject = nil
        guard let place = places[key], (0..<Self.minute).contains(hour - place.hour) else { return nil }
        return place
    }

    /// Takes one record of a program's allowance, and returns false if none is left.
    private mutating func consumes(_ measure: Measure, at hour: Int64, of burst: Int64) -> Bool {
        if allowances.count >= Self.capacity { allowances.removeAll() }
        return allowances[measure, default: Allowance(left: burst, refilled: hour)].consume(at: hour, of: burst)
    }

    /// Returns the record to count a miss in; nil if it gets a record of its own.
    private mutating func misses(of key: AuditKey, at hour: Int64, _ former: Place?) -> Place? {
        if let former, let last = misses[key.program], (0..<Self.minute).contains(hour - last) { return former }
        if misses.count >= Self.capacity { misses.removeAll() }
        misses[key.program] = hour
        return nil
    }

    /// Remembers a record at `place` once the open transaction is committed.
    mutating func plan(_ key: AuditKey, at place: Place) { planned.append((key, place)) }

    /// Takes over the records of a committed transaction.
    mutating func commit() {
        for (key, place) in planned {
            if places.count >= Self.capacity { places.removeAll(keepingCapacity: true) }
            places[key] = place
        }
        planned.removeAll(keepingCapacity: true)
    }

    /// Forgets the records of a transaction that came to nothing.
    mutating func abandon() { planned.removeAll() }
}
