internal import Synchronization
internal import UserPresence

/// The prompts that somebody is being shown now, so that they can be taken away.
final class OpenPrompts: Sendable {
    private struct Shown {
        let prompt: Prompt
        let context: ObjectIdentifier?
        /// How many show it: whoever asks, and within that whoever waits for the sensor.
        var times = 0
    }

    private let open = Mutex<[ObjectIdentifier: Shown]>([:])

    /// Shows `prompt` as long as `body` runs. `context` is what it belongs to.
    func showing<Result: ~Copyable, Failure: Error>(
        _ prompt: Prompt, of context: AnyObject?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let id = ObjectIdentifier(prompt)
        let shown = Shown(prompt: prompt, context: context.map { ObjectIdentifier($0) })
        open.withLock { $0[id, default: shown].times += 1 }
        defer {
            open.withLock { open in
                open[id]?.times -= 1
                if open[id]?.times == 0 { open[id] = nil }
            }
        }
        return try body()
    }

    /// Ends every prompt, or those that belong to `context`.
    func endAll(_ ending: Prompt.Ending, of context: AnyObject? = nil) {
        let ended = open.withLock { open in
            open.values.filter { context == nil || $0.context == context.map { ObjectIdentifier($0) } }.map(\.prompt)
        }
        for prompt in ended { prompt.end(ending) }
    }
}
