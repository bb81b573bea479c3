internal import AgentProtocol

/// The reading of the audit log, which the agent sends in parts.
enum LogReading {
    /// Passes the records after `last` to `body`, each with its JSON; only the latest ones if `latest` limits them. Returns
    /// the number of the last record.
    static func read(
        _ client: AgentClient, after last: Int, latest: Int?, _ body: (String, LogRecord) -> Void
    ) throws -> Int {
        let answer = try client.ask(LogCall(after: last, latest: latest), of: nil) { body($0.text, $0) }
        if let record = answer.reply.damagedFrom {
            throw AgentError(.damaged, "the log is damaged from record \(record) on: run `latchkey verify`")
        }
        return answer.reply.last
    }
}
