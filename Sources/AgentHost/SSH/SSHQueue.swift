internal import AgentProtocol
internal import LinuxSystem
internal import Synchronization

/// The order of signatures: those of one line, such as those with one key for the programs of one holder, are made one after
/// the other.
///
/// Fifty logins that begin at the same moment in one terminal would otherwise show fifty prompts. The first one prompts.
/// The others find what its user proved, if the key's policy lets that count for them; if the user dismissed the prompt,
/// they are refused as well.
package final class SSHQueue<Line: Hashable & Sendable>: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [(number: UInt64, turn: Signal)] = []
        /// The number of prompts that were dismissed.
        var dismissed = 0
    }

    private let lines = Mutex<[Line: State]>([:])
    private let numbers = Atomic<UInt64>(0)

    /// The time between two looks at whether a client that waits is gone, in milliseconds.
    private static var pause: Int { 500 }

    /// The outcome of a turn.
    package enum Outcome: Hashable, Sendable {
        /// The signature.
        case done([UInt8])
        /// No signature.
        case refused
        /// No signature, because the user dismissed a prompt.
        case dismissed
    }

    package init() {}

    /// Waits for its turn, and runs `body` unless a prompt was dismissed meanwhile. Stops waiting if `isGone` returns true.
    package func run(_ line: Line, isGone: () -> Bool, body: () -> Outcome) -> Outcome {
        let turn = Signal()
        let number = numbers.add(1, ordering: .relaxed).newValue
        let (mustWait, before) = lines.withLock { lines in
            var state = lines[line] ?? State()
            let mustWait = state.isBusy
            if mustWait { state.waiting.append((number, turn)) } else { state.isBusy = true }
            lines[line] = state
            return (mustWait, state.dismissed)
        }
        while mustWait, !turn.wait(upTo: Self.pause) {
            if isGone() && leave(line, number) { return .refused }
        }
        let isDismissed = lines.withLock { $0[line]?.dismissed ?? 0 } != before
        let outcome = isDismissed ? Outcome.refused : body()
        let next: Signal? = lines.withLock { lines in
            guard var state = lines[line] else { return nil }
            if case .dismissed = outcome { state.dismissed += 1 }
            if state.waiting.isEmpty {
                lines[line] = nil
                return nil
            }
            let next = state.waiting.removeFirst().turn
            lines[line] = state
            return next
        }
        next?.give()
        return outcome
    }

    /// Takes a signature out of a line. Returns false if its turn has come already.
    private func leave(_ line: Line, _ number: UInt64) -> Bool {
        lines.withLock { lines in
            guard let place = lines[line]?.waiting.firstIndex(where: { $0.number == number }) else { return false }
            lines[line]?.waiting.remove(at: place)
            return true
        }
    }
}
