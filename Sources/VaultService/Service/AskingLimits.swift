internal import AgentProtocol
internal import Synchronization

/// The limits on what one program may ask for, so that none can show one prompt after another until the user gives in.
///
/// A program may have several names, such as its executable and its connection. A limit for one of its names holds for the
/// program. The first name is the one by which the user knows it.
package final class AskingLimits<Name: Hashable & Sendable>: Sendable {
    /// A program that gets no prompt until some time; every program if there is no name.
    package struct Silence: Sendable {
        /// The name of the program; nil for every program.
        package var name: Name?
        /// The time, in milliseconds of the clock of the limits.
        package var end: Int64
    }

    private struct State {
        /// The number of requests that wait, by each name.
        var waiting: [Name: Int] = [:]
        /// The number of requests that wait, of all programs.
        var all = 0
        /// The time until which each name is silent after a dismissed prompt.
        var dismissals: [Name: Int64] = [:]
        /// The times of prompts without an answer, by the first name of the program. The latest is last.
        var misses: [Name: [Int64]] = [:]
    }

    private let state = Mutex(State())
    private let mostInAll: Int
    private let mostMisses: Int
    private let now: @Sendable () -> Int64

    /// The time for which a dismissed prompt counts, in milliseconds.
    package static var patience: Int64 { 60_000 }

    /// Creates limits that go by a clock in milliseconds.
    ///
    /// - Parameters:
    ///   - mostInAll: The most requests that may wait at a time, of all programs.
    ///   - mostMisses: The number of prompts without an answer within a minute after which their program is silent. If they are
    ///     those of as many programs, all are: a program can copy itself to get another name.
    package init(mostInAll: Int = .max, mostMisses: Int = .max, now: @escaping @Sendable () -> Int64) {
        (self.mostInAll, self.mostMisses, self.now) = (mostInAll, mostMisses, now)
    }

    /// Counts a request. Returns false, and counts nothing, if `most` requests of the program wait, or the most of all.
    package func begin(_ names: [Name], atMost most: Int) -> Bool {
        state.withLock { state in
            guard state.all < mostInAll, names.allSatisfy({ (state.waiting[$0] ?? 0) < most }) else { return false }
            for name in names { state.waiting[name, default: 0] += 1 }
            state.all += 1
            return true
        }
    }

    /// Counts a request as done.
    package func end(_ names: [Name]) {
        state.withLock { state in
            for name in names {
                let count = (state.waiting[name] ?? 0) - 1
                state.waiting[name] = count > 0 ? count : nil
            }
            state.all -= 1
        }
    }

    /// Notes that the user dismissed a prompt of a program.
    package func noteDismissal(_ names: [Name]) {
        let now = now()
        state.withLock { state in
            state.dismissals = state.dismissals.filter { $0.value > now }
            for name in names { state.dismissals[name] = now + Self.patience }
            noteMiss(names, &state, at: now)
        }
    }

    /// Notes that a prompt of a program ended without an answer, and that the user did not dismiss it: the program withdrew it,
    /// or its time was over.
    package func noteMiss(_ names: [Name]) {
        let now = now()
        state.withLock { noteMiss(names, &$0, at: now) }
    }

    private func noteMiss(_ names: [Name], _ state: inout State, at now: Int64) {
        guard mostMisses < .max, let first = names.first else { return }
        state.misses = state.misses.mapValues { $0.filter { $0 + Self.patience > now } }.filter { !$0.value.isEmpty }
        state.misses[first, default: []].append(now)
    }

    /// Returns true if a program gets no prompt now.
    package func isSilent(_ names: [Name]) -> Bool {
        let now = now()
        return state.withLock { isSilent(names, $0, at: now) }
    }

    private func isSilent(_ names: [Name], _ state: borrowing State, at now: Int64) -> Bool {
        names.contains { (state.dismissals[$0] ?? now) > now || (endOfMisses($0, state) ?? now) > now }
            || (endForAll(state) ?? now) > now
    }

    /// Returns the time until which the prompts without an answer of one program count.
    private func endOfMisses(_ name: Name, _ state: borrowing State) -> Int64? {
        guard let times = state.misses[name], times.count >= mostMisses else { return nil }
        return times[times.count - mostMisses] + Self.patience
    }

    /// Returns the time until which the prompts without an answer of several programs count for all.
    private func endForAll(_ state: borrowing State) -> Int64? {
        guard state.misses.count >= mostMisses else { return nil }
        return state.misses.values.compactMap(\.last).sorted()[state.misses.count - mostMisses] + Self.patience
    }

    /// The programs that get no prompt now, by each of their names.
    package var silences: [Silence] {
        let now = now()
        return state.withLock { state in
            var silences: [Silence] = []
            if let end = endForAll(state) { silences.append(Silence(name: nil, end: end)) }
            for name in Set(state.dismissals.keys).union(state.misses.keys) {
                let end = max(state.dismissals[name] ?? now, endOfMisses(name, state) ?? now)
                silences.append(Silence(name: name, end: end))
            }
            return silences.filter { $0.end > now }
        }
    }

    /// Ends every silence, because the user is there.
    package func endSilences() {
        state.withLock { ($0.dismissals, $0.misses) = ([:], [:]) }
    }
}
