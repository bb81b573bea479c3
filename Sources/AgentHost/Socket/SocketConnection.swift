internal import AgentProtocol
internal import LinuxSystem
internal import PlainText
internal import Prompts
internal import SodiumKit
internal import Synchronization
internal import VaultService

/// A client of the agent's socket, from the moment it connects until it is gone: the frames of one visit.
final class SocketConnection: Visitor {
    let visit: Visit
    let wire: Wire
    /// Held by the thread that reads what the client sends: the connection, or a prompt that waits for its answer.
    let reading = Mutex(())
    /// The stage of the present request.
    let progress = Progress()
    /// The prompt that the client shows, until the agent has told it how that ended.
    private let shown = Mutex<(prompt: Prompt, number: Int)?>(nil)
    /// The user at a terminal that `latchkey approve` offers, if the present request has prompts for it.
    let approving = Mutex<ApprovingUser?>(nil)
    /// The reason why the agent had no room for the answer to a prompt.
    let refusedAnswer = Mutex<WireError?>(nil)

    private let agent: Agent

    /// Serves a command at the other end of a socket. The program that started it is the one that prompts name.
    init(_ agent: Agent, _ socket: Int32, _ peer: Peer) {
        self.agent = agent
        visit = Visit(agent.service, peer, PeerProcess(of: socket), caller: peer.parent ?? peer.client)
        wire = Wire(socket, longestHead: WireLimits.headToAgent, budget: agent.service.budget)
    }

    /// Answers requests until the client is gone.
    func serve() {
        defer { visit.end() }
        do throws(WireError) {
            try wire.send(agent.greeting.text)
            while true {
                progress.note(.silent)
                try serveNext()
            }
        } catch {
            // Tell a client that speaks another protocol so, if it still listens.
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
            // The client may send the request again when there is room.
            guard error.isWantOfRoom else { throw error }
            try tell(AgentError(error))
        }
    }

    private func receive() throws(WireError) -> Frame {
        try reading.withLock { _ throws(WireError) in try wire.receive() }
    }

    private func answer(_ frame: consuming Frame) throws(WireError) {
        // The agent waits for the answer until it is sent.
        agent.service.beginAnswer()
        defer { agent.service.endAnswer() }
        let share = frame.share
        defer { withExtendedLifetime(share) {} }
        // This answers a prompt that was over before the answer came.
        if frame.head["answer"] != nil || frame.head["end"] != nil { return }
        let mayAsk = frame.head["ask"] != .bool(false)
        if frame.head["ask"] != nil { _ = try frame.head.consumeFlag("ask") }
        let unlocks = try frame.head.consumeFlag("unlock")
        let reason = try frame.head.consumeTextIfPresent("reason")
        let call = try Verb.deed(from: &frame.head)
        try frame.head.end()
        refusedAnswer.withLock { $0 = nil }
        do throws(AgentError) {
            try perform(
                call, AskedRequest(mayAsk: mayAsk, unlocks: unlocks, reason: reason, by: self), frame.secret.take())
            if call.endsAgent { agent.stop() }
        } catch {
            let refusal = refusedAnswer.withLock { $0.take() }
            let isFull = approving.withLock { $0?.wasRefused ?? false } && !agent.service.hasFailed
            let fault = refusal.map { AgentError($0) } ?? (isFull ? AgentError.tooManyWaiting : error)
            endApproval(fault)
            tellOver()
            try tell(fault)
            // The next client starts an agent that has the vault open.
            if agent.service.hasFailed { agent.stop() }
        }
    }

    private func perform(
        _ call: some Deed, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) {
        let answer = try visit.perform(call, asked, secret)
        endApproval(nil)
        tellOver()
        let head = answer.reply.head
        let text = head.fields.isEmpty ? Self.done : Self.done(head)
        switch answer.secret {
        case .some(let secret): try sending { () throws(WireError) in try wire.send(text, secret: secret) }
        case .none: try sending { () throws(WireError) in try wire.send(text) }
        }
    }

    // MARK: - The visitor

    var isGone: Bool { wire.isHungUp }

    var user: any DeviceUser { RelayedUser(connection: self) }

    func take(part: [UInt8]) throws(AgentError) {
        do throws(WireError) {
            let share = try agent.service.budget.share(ofList: part.count)
            defer { withExtendedLifetime(share) {} }
            try wire.send(part)
        } catch { throw AgentError(error) }
    }

    func cut() { wire.end() }

    func show(_ user: ApprovingUser) -> AgentError? {
        user.show(to: RelayedUser(connection: self, isForAnother: true)) { isGone }
    }

    /// Returns the user who answers the prompts of the present request at a terminal that `latchkey approve` offers.
    func approvingUser() -> ApprovingUser {
        approving.withLock { approving in
            if let user = approving { return user }
            let user = visit.approvingUser()
            approving = user
            return user
        }
    }

    /// Notes that the present request is over.
    private func endApproval(_ error: AgentError?) {
        approving.withLock { approving in
            defer { approving = nil }
            return approving
        }?.end(error)
    }

    // MARK: - Sending

    /// The head of an answer. The most frequent one is encoded once.
    private static let done = done(WireObject())
    private static func done(_ head: WireObject) -> String { WireObject(["done": .object(head.fields)]).text }

    /// Notes that the client shows this prompt, and tells the client when it is over.
    func begin(_ prompt: Prompt, _ number: Int) {
        shown.withLock { $0 = (prompt, number) }
        prompt.whenOver { [self] in tellOver() }
    }

    /// Tells the client how its prompt ended. This goes before anything that follows from it.
    func tellOver() {
        shown.withLock { shown in
            guard let (prompt, number) = shown, let ending = prompt.ending else { return }
            shown = nil
            let over = WireObject(["number": .number("\(number)"), "ending": .string(ending.word)])
            wire.post(WireObject(["over": .object(over.fields)]).text)
        }
    }

    /// Sends an answer. If the client is gone, the connection ends when it next reads.
    private func sending(_ body: () throws(WireError) -> Void) throws(AgentError) {
        do { try body() } catch { wire.end() }
    }

    func tell(_ fault: AgentError) throws(WireError) {
        try wire.send(WireObject(["error": .object(fault.head.fields)]).text)
    }
}
