internal import LinuxSystem
internal import Synchronization

/// The order of signatures with one key for the programs of one holder: one after the other.
///
/// Fifty logins that begin at the same moment in one terminal would otherwise show fifty prompts. The first one prompts.
/// The others find what its user proved, if the key's policy lets that count for them; if the user dismissed the prompt,
/// they are refused as well.
final class SSHQueue: Sendable {
    /// The signatures that are made one after the other.
    struct Line: Hashable, Sendable {
        var blob: [UInt8]
        /// The session or unit of the caller; nil for a caller of its own.
        var holder: Holder?
        /// The caller, where there is no holder.
        var process: Int32
    }

    private struct State {
        var isBusy = false
        var waiting: [Signal] = []
        /// The number of prompts that were dismissed.
        var dismissed = 0
    }

    private let lines = Mutex<[Line: State]>([:])

    /// The outcome of a turn.
    enum Outcome: Sendable {
        case done([UInt8])
        case refused
        case dismissed
    }

    /// Waits for its turn, and runs `body` unless a prompt was dismissed meanwhile.
    func run(_ line: Line, _ body: () -> Outcome) -> Outcome {
        let turn = Signal()
        let (mustWait, before) = lines.withLock { lines in
            var state = lines[line] ?? State()
            let mustWait = state.isBusy
            if mustWait { state.waiting.append(turn) } else { state.isBusy = true }
            lines[line] = state
            return (mustWait, state.dismissed)
        }
        if mustWait { turn.wait() }
        let isDismissed = lines.withLock { $0[line]?.dismissed ?? 0 } != before
        let outcome = isDismissed ? Outcome.refused : body()
        let next: Signal? = lines.withLock { lines in
            guard var state = lines[line] else { return nil }
            if case .dismissed = outcome { state.dismissed += 1 }
            if state.waiting.isEmpty {
                lines[line] = nil
                return nil
            }
            let next = state.waiting.removeFirst()
            lines[line] = state
            return next
        }
        next?.give()
        return outcome
    }
}
