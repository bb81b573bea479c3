internal import PlainText

/// What is too much for one frame: JSON values that go ahead of the answer, in as many frames as they take. A frame goes when it
/// is full, so that no more of them is here at a time, however slow the client is to read.
struct LongAnswer {
    private let session: Session
    private let name: String
    private var values: [String] = []
    private var size = 0

    /// How many bytes of values a frame has. An entry with a long comment may be one of its own.
    private static let full = WireLimits.headFromAgent / 4

    /// An answer whose values come under `name`.
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

    /// Sends what is still here.
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
    /// Sends values that are all there.
    func send(_ values: [String], as name: String) throws(AgentError) {
        var answer = LongAnswer(self, as: name)
        for value in values { try answer.add(value) }
        try answer.send()
    }
}
