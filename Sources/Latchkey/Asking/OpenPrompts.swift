internal import Synchronization
internal import UserPresence

/// The prompts that somebody is being shown now, so that they can be taken away.
final class OpenPrompts: Sendable {
    private let open = Mutex<[ObjectIdentifier: (prompt: Prompt, context: ObjectIdentifier?)]>([:])

    /// Shows `prompt` as long as `body` runs. `context` is what it belongs to.
    func showing<Result: ~Copyable, Failure: Error>(
        _ prompt: Prompt, of context: AnyObject?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let id = ObjectIdentifier(prompt)
        open.withLock { $0[id] = (prompt, context.map { ObjectIdentifier($0) }) }
        defer { open.withLock { _ = $0.removeValue(forKey: id) } }
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
