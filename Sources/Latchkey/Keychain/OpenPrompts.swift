internal import Synchronization
internal import UserPresence

/// The prompts that are being shown now, so that an event can dismiss them.
final class OpenPrompts: Sendable {
    private struct Shown {
        let prompt: Prompt
        let context: ObjectIdentifier?
        /// The number of callers that show it: the one that asks, and within that the one that waits for the sensor.
        var times = 0
    }

    private let open = Mutex<[ObjectIdentifier: Shown]>([:])

    /// Keeps `prompt` registered while `body` runs. `context` is the context that the prompt belongs to.
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
