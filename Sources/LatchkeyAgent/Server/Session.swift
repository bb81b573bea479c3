internal import Latchkey
internal import PlainText
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// One client, from when it connects until it is gone. What it proves counts for its own requests, and ends with it.
final class Session: Sendable {
    let agent: Agent
    let wire: Wire
    let peer: Peer
    /// The client, as the keychain knows its callers.
    let requester: Requester
    /// Taken by whoever reads what the client says: the session itself, or somebody who waits for an answer at a prompt.
    let reading = Mutex(())
    let prompts = Atomic(0)
    /// How far its request is.
    let progress = Progress()
    private let context = Mutex<KeychainContext?>(nil)
    /// The prompt that the client shows, until it is told how that ended.
    private let shown = Mutex<(prompt: Prompt, number: Int)?>(nil)
    /// Why the answer to a prompt was not taken that the client sent.
    let refusedAnswer = Mutex<WireError?>(nil)

    init(_ agent: Agent, _ socket: Int32, _ peer: Peer) {
        self.agent = agent
        self.peer = peer
        var requester = Requester(peer.text, groups: [Agent.group])
        requester.program = peer.program
        self.requester = requester
        wire = Wire(socket, longestHead: WireLimits.headToAgent, budget: agent.budget)
    }

    /// In what the client has proved so far.
    func authenticationContext() throws(AgentError) -> KeychainContext {
        do throws(KeychainError) {
            if let context = context.withLock({ $0 }) { return context }
            let made = try agent.keychain.makeContext()
            context.withLock { $0 = made }
            return made
        } catch { throw AgentError(error) }
    }

    /// Serves it until it is gone.
    func serve() {
        defer { try? context.withLock { $0 }?.invalidate() }
        do throws(WireError) {
            try wire.send(agent.greeting.text)
            while true {
                progress.note(.silent)
                try serveNext()
            }
        } catch {
            // Whoever speaks another language is told so, if they still listen.
            switch error {
            case .malformed, .timedOut: try? tell(AgentError(.request, "\(error)"))
            case .closed, .system, .over, .unanswered, .noRoom, .neverRoom: break
            }
            wire.end()
        }
    }

    private func serveNext() throws(WireError) {
        do throws(WireError) {
            let frame = try receive()
            progress.note(.served)
            try answer(frame)
        } catch {
            // The client may send it again when there is room.
            guard error.isWantOfRoom else { throw error }
            try tell(AgentError(error))
        }
    }

    private func receive() throws(WireError) -> Frame {
        try reading.withLock { _ throws(WireError) in try wire.receive() }
    }

    private func answer(_ frame: consuming Frame) throws(WireError) {
        agent.beginAnswer()
        defer { agent.endAnswer() }
        let share = frame.share
        defer { withExtendedLifetime(share) {} }
        // An answer to a prompt that was over when it came.
        if frame.head["answer"] != nil || frame.head["end"] != nil { return }
        let mayAsk = frame.head["ask"] != .bool(false)
        if frame.head["ask"] != nil { _ = try frame.head.consumeFlag("ask") }
        let reason = try frame.head.consumeTextIfPresent("reason")
        let request = try Request(from: &frame.head)
        try frame.head.end()
        let asked = AskedRequest(request, mayAsk: mayAsk, reason: reason)
        refusedAnswer.withLock { $0 = nil }
        if request.usesVault { agent.beginWork() }
        defer { if request.usesVault { agent.endWork() } }
        do throws(AgentError) {
            let answer = try perform(asked, frame.secret.take())
            tellOver()
            let text = answer.head.fields.isEmpty ? Self.done : Self.done(answer.head)
            switch answer.secret {
            case .some(let secret): try sending { () throws(WireError) in try wire.send(text, secret: secret) }
            case .none: try sending { () throws(WireError) in try wire.send(text) }
            }
            if case .stop = request { agent.stop() }
        } catch {
            tellOver()
            let refusal = refusedAnswer.withLock { $0.take() }
            try tell(refusal.map { AgentError($0) } ?? (agent.hasFailed ? agent.failure(error) : error))
            // The next client gets an agent that has the vault open.
            if agent.hasFailed { agent.stop() }
        }
    }

    /// The head of an answer. Most are the same, and are put into words once.
    private static let done = done(Head())
    private static func done(_ head: Head) -> String { Head(["done": .object(head.fields)]).text }

    /// The client shows this prompt from now on, and is told when it is over.
    func begin(_ prompt: Prompt, _ number: Int) {
        shown.withLock { $0 = (prompt, number) }
        prompt.whenOver { [self] in tellOver() }
    }

    /// Tells how the prompt ended that the client shows, before anything that comes of it.
    func tellOver() {
        shown.withLock { shown in
            guard let (prompt, number) = shown, let ending = prompt.ending else { return }
            shown = nil
            let over = Head(["number": .number("\(number)"), "ending": .string(ending.word)])
            wire.post(Head(["over": .object(over.fields)]).text)
        }
    }

    /// Whoever is gone gets no answer; the session ends when it next listens.
    private func sending(_ body: () throws(WireError) -> Void) throws(AgentError) {
        do { try body() } catch { wire.end() }
    }

    func tell(_ fault: AgentError) throws(WireError) {
        try wire.send(Head(["error": .object(fault.head.fields)]).text)
    }
}

/// A request with what goes with any of them.
struct AskedRequest {
    let request: Request
    /// True if the client's terminal may show prompts.
    let mayAsk: Bool
    /// What for, in the client's words.
    let reason: String?

    init(_ request: Request, mayAsk: Bool, reason: String?) {
        self.request = request
        self.mayAsk = mayAsk
        self.reason = reason
    }
}

/// What a request came to.
struct Answer: ~Copyable {
    var head = Head()
    var secret: SecureBytes?
    /// What a large secret takes of the room there is.
    var share: SecretBudget.Share?

    init(_ head: Head = Head(), secret: consuming SecureBytes? = nil, share: SecretBudget.Share? = nil) {
        self.head = head
        self.secret = secret
        self.share = share
    }
}
