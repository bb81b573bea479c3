internal import AgentProtocol
internal import PlainText

/// An answer that is too long for one frame: JSON values that go ahead of it in several frames. Each frame is sent when
/// it is full, so that no more than one is in memory, however slowly the client reads.
struct LongAnswer {
    private let visitor: any Visitor
    private let beginning: [UInt8]
    private var text: [UInt8]

    /// The size of a full frame in bytes. An entry with a long comment may need one of its own.
    private static let full = WireLimits.headFromAgent / 4
    private static let end = Array("]}}".utf8)

    /// Creates an answer whose values are sent as the member `name`.
    init(for visitor: any Visitor, as name: String) {
        self.visitor = visitor
        beginning = Array("{\"more\":{\(JSON.quoted(name)):[".utf8)
        text = beginning
    }

    private var isEmpty: Bool { text.count == beginning.count }

    mutating func add(_ value: some AnswerPart) throws(AgentError) { try add(Array(value.text.utf8)) }

    /// Adds a value in UTF-8.
    mutating func add(_ value: [UInt8]) throws(AgentError) {
        if text.count + value.count + 1 > Self.full { try send() }
        if !isEmpty { text.append(UInt8(ascii: ",")) }
        text += value
    }

    /// Sends the values that are left.
    mutating func send() throws(AgentError) {
        if isEmpty { return }
        text += Self.end
        try visitor.take(part: text)
        text.removeAll(keepingCapacity: true)
        text += beginning
    }
}

extension Deed {
    /// Sends values of the long answer.
    func send(_ values: [Part], _ asked: AskedRequest) throws(AgentError) {
        var answer = LongAnswer(for: asked.visitor, as: Self.parts)
        for value in values { try answer.add(value) }
        try answer.send()
    }
}
