internal import Glibc
internal import LinuxSystem
internal import PlainText
package import SodiumKit
internal import Synchronization
package import UserPresence

/// A connection to the agent of a vault. What is proved in it counts for its requests, and ends with it.
package final class AgentClient: Sendable {
    /// What a request came to.
    package struct Reply: ~Copyable, Sendable {
        /// What is no secret.
        package var head: Head
        /// The secret, where one was asked for.
        package var secret: SecureBytes?
    }

    let wire: Wire
    /// The folder of the vault.
    package let vault: String
    /// The process that holds its keys.
    package let process: Int32
    /// The additions to the format that the agent knows.
    private let additions: Set<String>
    /// What prompts call the program that asks.
    private let app: String

    private init(_ wire: Wire, app: String) throws(AgentError) {
        self.wire = wire
        self.app = app
        let greeting: Greeting
        do throws(WireError) { greeting = try Greeting(try wire.receive(within: WireLimits.patience).head) } catch {
            throw AgentError(error)
        }
        if let fault = greeting.fault { throw fault }
        (vault, process, additions) = (greeting.vault, greeting.process, greeting.additions)
    }

    /// What an agent says first.
    private struct Greeting {
        var fault: AgentError?
        var vault = ""
        var process: Int32 = 0
        var additions: Set<String> = []

        init(_ head: Head) throws(WireError) {
            var head = head
            if var fault = try head.consumeHeadIfPresent("error") {
                self.fault = try AgentError(from: &fault)
                return
            }
            let version = try head.consumeNumber("latchkey")
            if version != WireLimits.version {
                fault = AgentError(
                    .agent,
                    "the agent speaks version \(version), and this program \(WireLimits.version): end the agent with "
                        + "the latchkey that it belongs to")
                return
            }
            vault = try head.consumeText("vault")
            process = Int32(clamping: try head.consumeNumber("process"))
            // An agent of an earlier version names none.
            additions = Set(try head.consumeTexts("knows"))
        }
    }

    /// True if the agent can leave the comments out of a list. One that was started by an earlier version cannot.
    package var knowsBriefLists: Bool { additions.contains(WireLimits.briefLists) }

    // MARK: - Connecting

    /// Connects to the agent of the vault, if one is there. `app` is what prompts call the program that asks.
    package static func connect(to place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        if let client = try connect(toSocketOf: place, app: app) { return client }
        // Whoever has started the agent may have had another environment.
        guard let (_, socket) = AgentLock.read(place), socket != place.socket else { return nil }
        return try connect(toSocketOf: AgentPlace(place, socket: socket), app: app)
    }

    private static func connect(toSocketOf place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        if access(place.socket, F_OK) != 0 && errno == ENOENT { return nil }
        try SocketFiles.requirePrivate(folder: place.socketFolder)
        guard let socket = try SocketFiles.connect(to: place.socket) else { return nil }
        guard let peer = Peer(of: socket), peer.user == geteuid() else {
            close(socket)
            throw AgentError(.agent, "another user listens at \(place.socket): nothing was sent")
        }
        let client = try AgentClient(Wire(socket, longestHead: WireLimits.headFromAgent), app: app)
        guard client.vault == place.vault else {
            throw AgentError(
                .agent, "the agent at \(place.socket) has another vault, \(client.vault): end it, or name that one")
        }
        // One that was started for a folder which is not there any more would answer for what nobody sees again.
        guard AgentLock.isHeld(place) else {
            throw AgentError(
                .agent,
                "process \(client.process) answers for a vault that was at \(place.vault) before this one: end it, and try again"
            )
        }
        return client
    }

    /// Connects to the agent of the vault, and starts it first where there is none.
    package static func connect(
        to place: AgentPlace, app: String, startingWith command: [String]
    ) throws(AgentError) -> AgentClient {
        if let client = try connect(to: place, app: app) { return client }
        do throws(AgentError) { try AgentStart.run(command) } catch {
            if let client = try awaitOther(of: place, app: app) { return client }
            // The other one was ending, and is gone; or there was none, and the second try says why once more.
            try AgentStart.run(command)
        }
        if let client = try connect(to: place, app: app) { return client }
        throw AgentError(.agent, "the agent of \(place.vault) was started, and does not listen at \(place.socket)")
    }

    /// Connects to an agent that somebody else has started at the same moment; nil once nobody has the vault any more.
    private static func awaitOther(of place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        let deadline = Deadline(AgentStart.patience)
        var silence: Deadline?
        while AgentLock.isHeld(place), deadline.left > 1 {
            if let client = try connect(to: place, app: app) { return client }
            // One that has said where it listens, and does not, is ending, or it is cut off.
            if let said = AgentLock.read(place) {
                let end = silence ?? Deadline(endingPatience)
                silence = end
                if end.left <= 1 { throw unreachable(place, said.process) }
            }
            usleep(20_000)
        }
        return try connect(to: place, app: app)
    }

    /// How long an agent may take to end once it does not listen any more, in milliseconds.
    private static let endingPatience: Int32 = 2000

    /// The process of an agent that has the vault and cannot be connected to; nil where there is no agent at all. Its socket
    /// goes with the session's folder, for example, when somebody logs out.
    package static func cutOff(from place: AgentPlace) -> Int32? { AgentLock.read(place)?.process }

    /// Why an agent that has the vault cannot be asked.
    package static func unreachable(_ place: AgentPlace, _ process: Int32) -> AgentError {
        AgentError(
            .agent,
            "process \(process) has the keys of \(place.vault), and its socket is gone: latchkey agent stop ends it")
    }

    // MARK: - Asking

    /// Asks for something. `user` is the user at the terminal here; nil without a terminal. What comes in several
    /// parts is handed to `part` one by one.
    package func ask(
        _ request: Request, because reason: String? = nil, of user: (any DeviceUser)?,
        part: (inout Head) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> Reply {
        let none: SecureBytes
        do { none = try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
        return try ask(request, because: reason, sending: none, of: user, part: part)
    }

    /// The same with a secret that goes along.
    package func ask(
        _ request: Request, because reason: String? = nil, sending secret: borrowing SecureBytes,
        of user: (any DeviceUser)?, part: (inout Head) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> Reply {
        var head = request.head
        if user == nil { head["ask"] = .bool(false) }
        if let reason { head["reason"] = .string(reason) }
        let text = head.text
        guard text.utf8.count <= WireLimits.headToAgent else {
            throw AgentError(
                .request, "what is asked takes more than \(WireLimits.headToAgent) bytes without its secret")
        }
        let outcome: Outcome
        do throws(WireError) {
            try wire.send(text, secret: secret)
            outcome = try self.outcome(user, part)
        } catch { throw Self.words(error) }
        switch consume outcome {
        case .done(let reply): return reply
        case .failed(let fault): throw fault
        }
    }

    private enum Outcome: ~Copyable {
        case done(Reply)
        case failed(AgentError)
    }

    /// What the agent says in the end; what comes before that is dealt with.
    private func outcome(
        _ user: (any DeviceUser)?, _ part: (inout Head) throws(WireError) -> Void
    ) throws(WireError) -> Outcome {
        var frame = try wire.receive()
        while true {
            var head = frame.head
            if let done = try head.consumeHeadIfPresent("done") {
                return .done(Reply(head: done, secret: frame.secret.take()))
            }
            if var fault = try head.consumeHeadIfPresent("error") { return .failed(try AgentError(from: &fault)) }
            if var more = try head.consumeHeadIfPresent("more") {
                try part(&more)
                frame = try wire.receive()
            } else if var content = try head.consumeHeadIfPresent("ask") {
                frame = try answer(&content, user)
            } else {
                frame = try wire.receive()  // the end of a prompt that is over here already
            }
        }
    }

    private static func words(_ fault: WireError) -> AgentError {
        fault == .closed
            ? AgentError(
                .agent, "the agent ended before it answered: what was asked may be done or not; see latchkey status")
            : AgentError(fault)
    }

    /// Lets whoever is here answer a question, and gives the frame that comes after it.
    private func answer(_ head: inout Head, _ user: (any DeviceUser)?) throws(WireError) -> Frame {
        let (content, number) = try PromptContent.decoded(from: &head, app: app)
        let prompt = Prompt(content)
        let listening = PromptListener(wire, prompt, number)
        guard let user else {
            try wire.send(Gesture.canceled.head(number).text)
            return try wire.receive()
        }
        listening.begin()
        let response = user.answer(prompt)
        if prompt.ending == nil || prompt.ending == .answered {
            let isTouch = try send(response, number)
            if isTouch && !content.isSensorFake {
                user.standBy(prompt)
                switch prompt.ending {
                case .fallback?, .canceled?:
                    if listening.heard == nil {
                        let end = prompt.ending == .fallback ? "fallback" : "cancelled"
                        try wire.send(Head(["number": .number("\(number)"), "end": .string(end)]).text)
                    }
                default: break
                }
            }
        }
        return try listening.next()
    }

    /// Returns true if the user turned to the sensor.
    private func send(_ response: consuming Response, _ number: Int) throws(WireError) -> Bool {
        switch consume response {
        case .typed(let typed):
            try wire.send(Gesture.typed.head(number).text, secret: typed)
            return false
        case .touch(let shown):
            try wire.send(Gesture.touched(shown).head(number).text)
            return true
        case .confirm: try wire.send(Gesture.confirmed.head(number).text)
        case .fallback: try wire.send(Gesture.fallback.head(number).text)
        case .cancel: try wire.send(Gesture.canceled.head(number).text)
        }
        return false
    }
}

/// Listens to the agent while somebody answers a prompt: it may be over before they have.
private final class PromptListener: Sendable {
    private let wire: Wire
    private let prompt: Prompt
    private let number: Int
    private let frame = Carrier<Result<Frame, WireError>>()
    private let ending = Mutex<Prompt.Ending?>(nil)
    private let done: Signal

    init(_ wire: Wire, _ prompt: Prompt, _ number: Int) {
        self.wire = wire
        self.prompt = prompt
        self.number = number
        done = Signal()
    }

    /// How the agent said that the prompt ended; nil where it did not.
    var heard: Prompt.Ending? { ending.withLock { $0 } }

    /// Listens on a thread of its own until something comes that is no end of this prompt.
    func begin() {
        let isStarted = Supervisor.detach { [self] in
            listen()
            done.give()
        }
        if !isStarted {
            frame.fill(.failure(.system(EAGAIN)))
            done.give()
        }
    }

    private func listen() {
        do throws(WireError) {
            while true {
                let frame = try wire.receive()
                var head = frame.head
                guard var over = try head.consumeHeadIfPresent("over") else {
                    self.frame.fill(.success(frame))
                    prompt.end(.answered)
                    return
                }
                guard try over.consumeNumber("number") == number else { continue }
                let ending = Prompt.Ending(word: try over.consumeText("ending")) ?? .systemCanceled
                self.ending.withLock { $0 = ending }
                prompt.end(ending)
            }
        } catch {
            frame.fill(.failure(error))
            prompt.end(.systemCanceled)
        }
    }

    /// What came after the prompt.
    func next() throws(WireError) -> Frame {
        done.wait()
        switch frame.take() {
        case .some(let result):
            switch consume result {
            case .success(let frame): return frame
            case .failure(let fault): throw fault
            }
        case .none: throw .closed
        }
    }
}
