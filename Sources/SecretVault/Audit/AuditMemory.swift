internal import AccessPolicy
internal import SodiumKit

/// What two records share that are about the same: who does what to which item, and what comes of it.
struct AuditKey: Hashable, Sendable {
    let kind: AuditRecord.Kind
    let action: Action?
    let word: String
    /// The item. For one that is not there it is none: misses of one program are about the same, whatever they look for.
    let subject: Tag?
    let rule: Rule?
    let program: String
}

/// Remembers what was written in the last day, so that what a program goes on doing is counted in the record that is there.
///
/// A program's repeats become records of their own as long as they are few: one a minute, and ``burst`` at once. What it
/// repeats more often than that is counted. Its misses become one record a minute at most.
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

    /// What a program may still repeat in records of their own.
    private struct Allowance {
        var left = AuditMemory.burst
        var refilled: Int64
        var missed: Int64?
    }

    private var places: [AuditKey: Place] = [:]
    private var allowances: [String: Allowance] = [:]
    /// What the transaction that is open has written; nothing of it counts before it is committed.
    private var planned: [(key: AuditKey, place: Place)] = []

    /// How many repeats a program may have in records of their own at once.
    static let burst = 64
    /// How many different ones are remembered. With one more, all are forgotten, and what goes on begins a new record.
    static let capacity = 65_536
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// Where to count in what happens once more at `hour`; nil where it becomes a record of its own.
    mutating func place(of key: AuditKey, isMiss: Bool, at hour: Int64) -> Place? {
        guard let place = places[key], (0..<Self.day).contains(hour - place.hour) else { return nil }
        return takes(key.program, isMiss: isMiss, at: hour) ? nil : place
    }

    /// Whether a program may have one more record of its own now.
    private mutating func takes(_ program: String, isMiss: Bool, at hour: Int64) -> Bool {
        if allowances.count >= Self.capacity { allowances.removeAll() }
        var allowance = allowances[program] ?? Allowance(refilled: hour)
        defer { allowances[program] = allowance }
        if isMiss {
            // The first of all has a record already.
            guard let missed = allowance.missed else {
                allowance.missed = hour
                return false
            }
            guard !(missed..<(missed + Self.minute)).contains(hour) else { return false }
            allowance.missed = hour
            return true
        }
        let minutes = (hour - allowance.refilled) / Self.minute
        if minutes != 0 {
            // A clock that was set back gives nothing.
            allowance.left = min(Self.burst, allowance.left + Int(clamping: max(0, minutes)))
            allowance.refilled = hour
        }
        guard allowance.left > 0 else { return false }
        allowance.left -= 1
        return true
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
