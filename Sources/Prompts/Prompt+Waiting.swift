package import LinuxSystem

extension Supervisor {
    /// Runs `body` for up to `milliseconds`. If `prompt` ends earlier, `body` gets only a moment more to return.
    package func run<Value: Sendable>(
        upTo milliseconds: Int, until prompt: Prompt, _ body: @escaping @Sendable () -> Value
    ) -> Outcome<Value> {
        let end = EarlyEnd(hasCome: { prompt.ending != nil }, whenItComes: { prompt.whenOver($0) })
        return run(upTo: milliseconds, until: end, body)
    }
}
