internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SodiumKit
internal import Synchronization
internal import SystemServices
internal import UserPresence

/// One client, from the moment it connects until it is gone. Factors that its user gives count for its requests, and for
/// later ones of the same terminal session as far as ``KeptAuthentications`` keeps them.
final class Session: Sendable {
    let agent: Agent
    let wire: Wire
    let peer: Peer
    /// The program that prompts name.
    let caller: Peer.Program?
    /// The client, as the keychain identifies it.
    let requester: Requester
    /// The process that connected; nil if the system does not know it.
    private let process: PeerProcess?
    /// The holder that the process belonged to when it connected.
    private let firstHolder: Holder?
    /// False if a request counts as activity only if its user answered a prompt.
    private let isActive: Bool
    /// Held by the thread that reads what the client sends: the session, or a prompt that waits for its answer.
    let reading = Mutex(())
    let prompts = Atomic(0)
    /// The stage of the present request.
    let progress = Progress()
    private let context = Mutex<HeldContext?>(nil)
    /// The evidence at the end of the last request that prompted.
    private let proved = Mutex<Context?>(nil)
    /// The prompt that the client shows, until the agent has told it how that ended.
    private let shown = Mutex<(prompt: Prompt, number: Int)?>(nil)
    /// The request that is being answered.
    let presentRequest = Mutex<AskedRequest?>(nil)
    /// The user at a terminal that `latchkey approve` offers, if the present request has prompts for it.
    let approving = Mutex<ApprovingUser?>(nil)
    /// The reason why the agent had no room for the answer to a prompt.
    let refusedAnswer = Mutex<WireError?>(nil)

    /// Serves a command at the other end of a socket. The program that started it is the one that prompts name.
    convenience init(_ agent: Agent, _ socket: Int32, _ peer: Peer) {
        self.init(agent, socket, peer, PeerProcess(of: socket), caller: peer.parent ?? peer.client)
    }

    /// Serves a process at the other end of a socket, or one on whose behalf this process holds the other end.
    init(
        _ agent: Agent, _ socket: Int32, _ peer: Peer, _ process: PeerProcess?, caller: Peer.Program?,
        sharesAuthentications: Bool = true, isActive: Bool = true
    ) {
        self.agent = agent
        self.peer = peer
        self.caller = caller
        self.process = process
        self.isActive = isActive
        var requester = Requester(peer.text, groups: [Agent.group])
        requester.program = peer.program
        requester.isRemote =
            process?.read { RemoteLogin.contains($0) || LoginSession.isRemote($0) } ?? true
        self.requester = requester
        firstHolder = sharesAuthentications ? process?.read { Holder(of: $0) } : nil
        wire = Wire(socket, longestHead: WireLimits.headToAgent, budget: agent.budget)
    }

    /// The holder of an authentication that this client brings; nil if it counts for this connection alone.
    ///
    /// It is read each time. A process that has ended or left its session may have passed its connection on.
    var holder: Holder? {
        guard let firstHolder, process?.read({ Holder(of: $0) }) == firstHolder else { return nil }
        return firstHolder
    }

    /// Returns the context that holds the factors which the user gave so far.
    func authenticationContext() throws(AgentError) -> KeychainContext { try heldContext().context }

    func heldContext() throws(AgentError) -> HeldContext {
        do throws(KeychainError) {
            if let context = context.withLock({ $0 }) { return context }
            let made = HeldContext(try agent.keychain.makeContext())
            context.withLock { $0 = made }
            return made
        } catch { throw AgentError(error) }
    }

    /// The evidence that the user has given in this connection; nil if there is none yet.
    var evidence: Context? { context.withLock { $0 }.flatMap { try? $0.context.evidence } }

    /// Notes what the user has proved, at the end of a request that prompted.
    func noteEvidence() {
        let evidence = evidence
        proved.withLock { $0 = evidence }
    }

    /// Returns true if `evidence` is not from an earlier request.
    func isNew(_ evidence: Evidence) -> Bool { proved.withLock { $0?[evidence.factor] } != evidence }

    /// Answers requests until the client is gone.
    func serve() {
        defer { context.withLock { $0 = nil } }
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
        agent.beginAnswer()
        defer { agent.endAnswer() }
        let share = frame.share
        defer { withExtendedLifetime(share) {} }
        // This answers a prompt that was over before the answer came.
        if frame.head["answer"] != nil || frame.head["end"] != nil { return }
        let mayAsk = frame.head["ask"] != .bool(false)
        if frame.head["ask"] != nil { _ = try frame.head.consumeFlag("ask") }
        let reason = try frame.head.consumeTextIfPresent("reason")
        let request = try Request(from: &frame.head)
        try frame.head.end()
        let asked = AskedRequest(request, mayAsk: mayAsk, reason: reason)
        refusedAnswer.withLock { $0 = nil }
        presentRequest.withLock { $0 = asked }
        let usesVault = request.usesVault
        if usesVault && isActive { agent.beginWork() }
        defer { if usesVault && isActive { agent.endWork() } }
        let before = prompts.load(ordering: .relaxed)
        do throws(AgentError) {
            let answer = try perform(asked, frame.secret.take())
            if usesVault, !isActive, prompts.load(ordering: .relaxed) != before { agent.noteActivity() }
            agent.follow(request)
            endApproval(nil)
            tellOver()
            let text = answer.head.fields.isEmpty ? Self.done : Self.done(answer.head)
            switch answer.secret {
            case .some(let secret): try sending { () throws(WireError) in try wire.send(text, secret: secret) }
            case .none: try sending { () throws(WireError) in try wire.send(text) }
            }
            if request.endsAgent { agent.stop() }
        } catch {
            // It may have unlocked the vault before it failed.
            agent.follow(request)
            let refusal = refusedAnswer.withLock { $0.take() }
            let isFull = approving.withLock { $0?.wasRefused ?? false }
            let outcome = isFull ? AgentError.tooManyWaiting : error
            let fault = refusal.map { AgentError($0) } ?? (agent.hasFailed ? agent.failure(error) : outcome)
            endApproval(fault)
            tellOver()
            try tell(fault)
            // The next client starts an agent that has the vault open.
            if agent.hasFailed { agent.stop() }
        }
    }

    /// The head of an answer. The most frequent one is encoded once.
    private static let done = done(Head())
    private static func done(_ head: Head) -> String { Head(["done": .object(head.fields)]).text }

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
            let over = Head(["number": .number("\(number)"), "ending": .string(ending.word)])
            wire.post(Head(["over": .object(over.fields)]).text)
        }
    }

    /// Sends an answer. If the client is gone, the session ends when it next reads.
    private func sending(_ body: () throws(WireError) -> Void) throws(AgentError) {
        do { try body() } catch { wire.end() }
    }

    func tell(_ fault: AgentError) throws(WireError) {
        try wire.send(Head(["error": .object(fault.head.fields)]).text)
    }
}

/// A request with the members that any request may have.
struct AskedRequest {
    let request: Request
    /// True if the client may show prompts.
    let mayAsk: Bool
    /// The reason for prompts, in the client's words.
    let reason: String?

    init(_ request: Request, mayAsk: Bool, reason: String?) {
        self.request = request
        self.mayAsk = mayAsk
        self.reason = reason
    }
}

/// The answer to a request.
struct Answer: ~Copyable {
    var head = Head()
    var secret: SecureBytes?
    /// The room that a large secret takes.
    var share: SecretBudget.Share?

    init(_ head: Head = Head(), secret: consuming SecureBytes? = nil, share: SecretBudget.Share? = nil) {
        self.head = head
        self.secret = secret
        self.share = share
    }
}
