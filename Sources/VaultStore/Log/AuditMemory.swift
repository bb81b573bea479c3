internal import AccessPolicy
internal import SodiumKit

/// The fields that are equal in two records of the same request: program, action, item and decision.
struct AuditKey: Hashable, Sendable {
    let kind: AuditRecord.Kind
    let action: Action?
    let word: String
    /// The item. It is nil for a miss, because all misses of a program are counted together, and for a record that
    /// counts several items.
    var subject: Tag?
    let rule: Rule?
    /// The access to a file and its rule; nil for everything else.
    let file: FileVerdict?
    let program: String
}

/// A memory of the records of the last day. A program's repeats are counted in a record that exists.
///
/// A program gets records of its own up to these bounds:
/// - repeats: one a minute, and ``burst`` at once;
/// - adds, changes and deletes of any items: the same bound again;
/// - looks and uses, which matter most to the reader of the log: as many items as ``AuditSize/room(in:)`` returns;
/// - misses: one a minute.
///
/// Beyond them, a repeat is counted in the record of its item, and everything else in one record a minute that names no
/// item.
///
/// The memory belongs to one process and begins empty. It never adds to the records of other processes.
struct AuditMemory {
    /// The location of a record.
    struct Place {
        /// The place of the first record of its page.
        let page: Int64
        let line: UInt16
        /// The time of the record when it was written first.
        let hour: Int64
    }

    /// A quantity of which each program has an allowance.
    private struct Measure: Hashable {
        let program: String
        /// The kind of a first request and its decision; nil for repeats.
        var new: New?

        struct New: Hashable {
            let conduct: Conduct
            let kind: AuditRecord.Kind
        }
    }

    /// A kind of request, by how much its record matters.
    private enum Conduct {
        case change, look, use

        init(_ key: AuditKey) {
            if let access = key.file?.access {
                self.init(access)
            } else {
                self.init(key.action)
            }
        }

        private init(_ access: FileAccess) {
            switch access {
            case .create, .protect: self = .change
            case .manage: self = .look
            case .open, .use: self = .use
            }
        }

        private init(_ action: Action?) {
            switch action {
            case .add, .update, .checkDuplicate, .delete: self = .change
            case nil, .readAttributes, .readReference, .probe, .inventory: self = .look
            case .readData, .sign, .agree, .decapsulate, .attest: self = .use
            }
        }

        /// Returns the number of such records that a program may have at once in a log of this limit.
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

        /// Uses up one record, and returns false if none is left. All come back within a day, and at least one each
        /// minute.
        mutating func consume(at hour: Int64, of burst: Int64) -> Bool {
            let minutes = (hour - refilled) / AuditMemory.minute
            if minutes != 0 {
                // A clock that was set back refills nothing.
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
    /// The time at which a miss of each program last got a record of its own.
    private var misses: [String: Int64] = [:]
    /// The records of the open transaction. They are remembered once it is committed.
    private var planned: [(key: AuditKey, place: Place)] = []

    /// The number of repeats, and of changes, that get records of their own at once.
    static let burst: Int64 = 64
    /// The number of records to remember. One more empties the memory, and the next repeats begin new records.
    static let capacity = 65_536
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// Returns the record that counts a request made at `hour`; nil if the request gets a record of its own.
    ///
    /// Afterwards `key` is the key of that record, without an item if the record counts several. `limit` is the log's.
    mutating func place(of key: inout AuditKey, isMiss: Bool, at hour: Int64, limit: Int64) -> Place? {
        let former = places[key].flatMap { (0..<Self.day).contains(hour - $0.hour) ? $0 : nil }
        if isMiss { return misses(of: key, at: hour, former) }
        if let former { return consumes(Measure(program: key.program), at: hour, of: Self.burst) ? nil : former }
        if key.subject == nil { return nil }
        let conduct = Conduct(key)
        let measure = Measure(program: key.program, new: Measure.New(conduct: conduct, kind: key.kind))
        if consumes(measure, at: hour, of: conduct.burst(limit)) { return nil }
        key.subject = nil
        guard let place = places[key], (0..<Self.minute).contains(hour - place.hour) else { return nil }
        return place
    }

    /// Uses up one record of a program's allowance, and returns false if none is left.
    private mutating func consumes(_ measure: Measure, at hour: Int64, of burst: Int64) -> Bool {
        if allowances.count >= Self.capacity { allowances.removeAll() }
        return allowances[measure, default: Allowance(left: burst, refilled: hour)].consume(at: hour, of: burst)
    }

    /// Returns the record that counts a miss; nil if the miss gets a record of its own.
    private mutating func misses(of key: AuditKey, at hour: Int64, _ former: Place?) -> Place? {
        if let former, let last = misses[key.program], (0..<Self.minute).contains(hour - last) { return former }
        if misses.count >= Self.capacity { misses.removeAll() }
        misses[key.program] = hour
        return nil
    }

    /// Notes that the open transaction writes a record at `place`.
    mutating func plan(_ key: AuditKey, at place: Place) { planned.append((key, place)) }

    /// Remembers the records of a committed transaction.
    mutating func commit() {
        for (key, place) in planned {
            if places.count >= Self.capacity { places.removeAll(keepingCapacity: true) }
            places[key] = place
        }
        planned.removeAll(keepingCapacity: true)
    }

    /// Forgets the records of a transaction that was rolled back.
    mutating func abandon() { planned.removeAll() }
}
