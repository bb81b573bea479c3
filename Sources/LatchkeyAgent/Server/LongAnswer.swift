internal import PlainText

/// An answer that is too long for one frame: JSON values that go ahead of it in several frames. Each frame is sent when
/// it is full, so that no more than one is in memory, however slowly the client reads.
struct LongAnswer {
    private let session: Session
    private let name: String
    private var values: [String] = []
    private var size = 0

    /// The size of a full frame in bytes. An entry with a long comment may need one of its own.
    private static let full = WireLimits.headFromAgent / 4

    /// Creates an answer whose values are sent as the member `name`.
    init(_ session: Session, as name: String) {
        self.session = session
        self.name = name
    }

    mutating func add(_ value: String) throws(AgentError) {
        let count = value.utf8.count + 1
        if size + count > Self.full { try send() }
        values.append(value)
        size += count
    }

    /// Sends the values that are left.
    mutating func send() throws(AgentError) {
        if values.isEmpty { return }
        do throws(WireError) {
            let share = try session.agent.budget.share(ofList: size)
            defer { withExtendedLifetime(share) {} }
            try session.wire.send("{\"more\":{\(JSON.quoted(name)):[\(values.joined(separator: ","))]}}")
        } catch { throw AgentError(error) }
        values.removeAll(keepingCapacity: true)
        size = 0
    }
}

extension Session {
    /// Sends a list of values.
    func send(_ values: [String], as name: String) throws(AgentError) {
        var answer = LongAnswer(self, as: name)
        for value in values { try answer.add(value) }
        try answer.send()
    }
}
