internal import PlainText

/// A server of the tools for one client, in every version of the Model Context Protocol from 2024 to 2026.
///
///     var server = ToolServer(name: "latchkey", version: "1.0", desk: desk)
///     for line in lines.add(bytes) { if let answer = server.answer(line) { write(answer, "\n") } }
///
/// It decides and remembers; it reads, writes and waits for nothing. Only `desk` waits, at most 20 seconds a call.
package struct ToolServer<Desk: LoanDesk>: Sendable {
    let methods: Methods<Desk>
    /// The version of the handshake; nil before it.
    private var version: ProtocolVersion?
    /// The waits that the client expects an answer of, by the id of their request.
    private var waits: [JSON: Int] = [:]
    /// The waits that have not ended, also if the client has canceled them.
    private var running: Set<Int> = []
    private var lastWait = 0

    /// The most waits at once.
    private static var mostWaits: Int { 16 }

    /// Creates a server that gives this name and version of itself.
    package init(name: String, version: String, desk: Desk) {
        methods = Methods(name: name, version: version, desk: desk)
    }

    /// Answers a message, without the end of its line; nil if it needs no answer. It waits where a tool waits.
    package mutating func answer(_ message: [UInt8]) -> [UInt8]? {
        switch begin(message) {
        case .nothing: nil
        case .answer(let answer): answer
        case .wait(let wait): end(wait, with: wait.state())
        }
    }

    /// Begins to answer a message, without waiting. So others can be answered meanwhile.
    package mutating func begin(_ message: [UInt8]) -> ToolStep<Desk> {
        switch Incoming(message, hasBatches: version?.hasBatches ?? false) {
        case .one(let message): step(for: message)
        case .batch(let messages): methods.answers(to: messages).map { .answer($0) } ?? .nothing
        }
    }

    /// Ends a wait, once. Returns the answer; nil if the client has canceled it.
    package mutating func end(_ wait: ToolWait<Desk>, with state: DeskState) -> [UInt8]? {
        running.remove(wait.number)
        guard waits[wait.id] == wait.number else { return nil }
        waits[wait.id] = nil
        return methods.answer(to: wait, with: state).bytes
    }

    private mutating func step(for message: Message) -> ToolStep<Desk> {
        switch message {
        case .response: .nothing
        case .wrong(let fault, let id): .answer(Answer.fault(fault, id: id).bytes)
        case .notification(let method, let parameters):
            cancel(method, parameters)
        case .request(let request): step(for: request)
        }
    }

    private mutating func cancel(_ method: String, _ parameters: [String: JSON]) -> ToolStep<Desk> {
        if method == "notifications/cancelled", let id = parameters["requestId"] { waits[id] = nil }
        return .nothing
    }

    private mutating func step(for request: Request) -> ToolStep<Desk> {
        guard waits[request.id] == nil else {
            // With this id, the client would take the error for the answer to its first request.
            return .answer(
                Answer.fault(Fault(.invalidRequest, "The id is that of a request that waits."), id: .null).bytes)
        }
        let answer: Answer
        do throws(Fault) {
            let era = try era(of: request)
            switch try methods.outcome(of: request, in: era) {
            case .wait(let name, let seconds):
                if running.count < Self.mostWaits {
                    lastWait += 1
                    running.insert(lastWait)
                    waits[request.id] = lastWait
                    return .wait(
                        ToolWait(
                            desk: methods.desk, request: name, seconds: seconds, id: request.id, era: era,
                            number: lastWait))
                }
                answer = .result(methods.complete(ToolResult.tooMany.members, in: era), id: request.id)
            case .result(let members):
                if era == .handshake, request.method == "initialize" {
                    version = try Methods<Desk>.versionByHandshake(request)
                }
                answer = .result(methods.complete(members, in: era), id: request.id)
            }
        } catch {
            answer = .fault(error, id: request.id)
        }
        return .answer(answer.bytes)
    }

    /// Returns the era of a request, which its way to begin tells.
    private func era(of request: Request) throws(Fault) -> ProtocolVersion.Era {
        if request.isStateless { return .stateless }
        if version == nil, request.method != "initialize", request.method != "ping" {
            throw Fault(
                .invalidParameters, "params._meta lacks \(MetaName.version): send it, or begin with initialize.")
        }
        return .handshake
    }
}

extension Request {
    /// True if the request says its version, or if only such requests have its method.
    var isStateless: Bool { meta?[MetaName.version] != nil || method == "server/discover" }
}
