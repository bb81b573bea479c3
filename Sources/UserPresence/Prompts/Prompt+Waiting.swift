package import LinuxSystem

extension Supervisor {
    /// Runs `body` as long as `milliseconds` say. If `prompt` ends, there is only a moment left to come back in.
    package func run<Value: Sendable>(
        upTo milliseconds: Int, until prompt: Prompt, _ body: @escaping @Sendable () -> Value
    ) -> Outcome<Value> {
        let end = EarlyEnd(hasCome: { prompt.ending != nil }, whenItComes: { prompt.whenOver($0) })
        return run(upTo: milliseconds, until: end, body)
    }
}
