internal import Synchronization

/// The limits on what one process may ask for, which matter if the programs of another host speak through it.
///
/// One ssh that forwards the agent connects once for each program on the other host. Without limits, a program there could
/// take all the places for SSH clients, or show one prompt after another until the user gives in.
package final class SSHLimits: Sendable {
    private struct State {
        /// The number of signatures that each process waits for.
        var signatures: [Int32: Int] = [:]
        /// The time until which the requests of a process are refused after a dismissed prompt.
        var dismissals: [Int32: Int64] = [:]
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    /// The most signatures that a process may wait for.
    private static let most = 64
    /// The most that one which forwards the agent may wait for.
    private static let mostForwarded = 4
    /// The time for which a dismissed prompt counts, in milliseconds.
    private static let patience: Int64 = 60_000

    /// Creates limits that go by a clock in milliseconds.
    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Counts a signature. Returns false, and counts nothing, if the process waits for too many already.
    package func begin(_ process: Int32, isForwarded: Bool) -> Bool {
        state.withLock { state in
            let count = state.signatures[process] ?? 0
            guard count < (isForwarded ? Self.mostForwarded : Self.most) else { return false }
            state.signatures[process] = count + 1
            return true
        }
    }

    /// Counts a signature as done.
    package func end(_ process: Int32) {
        state.withLock { state in
            let count = (state.signatures[process] ?? 0) - 1
            state.signatures[process] = count > 0 ? count : nil
        }
    }

    /// Notes that the user dismissed the prompt of a process.
    package func noteDismissal(_ process: Int32) {
        let now = now()
        state.withLock { state in
            state.dismissals = state.dismissals.filter { $0.value > now }
            state.dismissals[process] = now + Self.patience
        }
    }

    /// Returns true if the user dismissed a prompt of the process within the last minute.
    package func isDismissed(_ process: Int32) -> Bool {
        let now = now()
        return state.withLock { ($0.dismissals[process] ?? now) > now }
    }
}

/// The place of one SSH client among those that the agent serves.
package struct SSHPlace: Sendable {
    /// The present use of a place.
    package enum Activity: Int, Comparable, Sendable {
        /// The client has sent nothing that is not answered.
        case none
        /// A signature waits for others with the same key.
        case waiting
        /// The agent works for the client, or its user has a prompt.
        case working

        /// Returns true if the first one is less than the other.
        package static func < (one: Activity, other: Activity) -> Bool { one.rawValue < other.rawValue }
    }

    var activity: Activity
    var process: Int32
    var began: Int64

    /// Creates the place of a client that this process is, and that connected at this time.
    package init(_ activity: Activity, process: Int32, began: Int64) {
        (self.activity, self.process, self.began) = (activity, process, began)
    }

    /// Returns the index of the place that a new client gets; nil if it gets none. An idle client goes before one that
    /// waits. Among those, the process with the most clients loses its oldest one. One that the agent works for stays.
    package static func next(of places: [SSHPlace]) -> Int? {
        var counts: [Int32: Int] = [:]
        for place in places { counts[place.process, default: 0] += 1 }
        func rank(_ place: SSHPlace) -> (Activity, Int, Int64) {
            (place.activity, -(counts[place.process] ?? 0), place.began)
        }
        return places.indices.filter { places[$0].activity != .working }.min { rank(places[$0]) < rank(places[$1]) }
    }
}
