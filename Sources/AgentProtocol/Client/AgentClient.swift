internal import Glibc
internal import LinuxSystem
internal import PlainText
package import Prompts
package import SodiumKit
internal import Synchronization

/// A user whose terminal cannot show a prompt now, and who answers it at another one.
package protocol AwayUser: DeviceUser {
    /// True if the next prompt has to wait for a terminal that `latchkey approve` offers.
    var isAway: Bool { get }
    /// Says where to answer a prompt, which waits for so many seconds.
    func noteWaiting(_ prompt: Prompt, seconds: Int)
}

/// A connection to the agent of a vault. Factors that the user gives count for the requests of this connection, and end
/// with it.
package final class AgentClient: Sendable {
    package let wire: Wire
    /// The folder of the vault.
    package let vault: String
    /// The number of the agent's process, which holds the keys.
    package let process: Int32
    /// The pinentry that the owner of the vault wants, or none; nil if that was left open.
    package let pinentry: String?
    /// The place of prompts that the owner of the vault wants; nil if that was left open.
    package let prompt: String?
    /// The name that prompts give to the program that asks.
    private let app: String

    private init(_ wire: Wire, app: String) throws(AgentError) {
        self.wire = wire
        self.app = app
        let greeting: Greeting
        do throws(WireError) { greeting = try Greeting(try wire.receive(within: WireLimits.patience).head) } catch {
            throw AgentError(error)
        }
        if let fault = greeting.fault { throw fault }
        (vault, process) = (greeting.vault, greeting.process)
        (pinentry, prompt) = (greeting.pinentry, greeting.prompt)
    }

    /// The first message of an agent.
    private struct Greeting {
        var fault: AgentError?
        var vault = ""
        var process: Int32 = 0
        var pinentry: String?
        var prompt: String?

        init(_ head: WireObject) throws(WireError) {
            var head = head
            if var fault = try head.consumeHeadIfPresent("error") {
                self.fault = try AgentError(from: &fault)
                return
            }
            // Agents of version 0.1 name the requests that they know.
            guard try head.consumeNumber("latchkey") == WireLimits.version, head["knows"] == nil else {
                fault = .ofOtherVersion
                return
            }
            vault = try head.consumeText("vault")
            process = Int32(clamping: try head.consumeNumber("process"))
            pinentry = try head.consumeTextIfPresent("pinentry")
            prompt = try head.consumeTextIfPresent("prompt")
        }
    }

    // MARK: - Connecting

    /// Connects to the agent of the vault; returns nil if there is none. Prompts name `app` as the program that asks.
    package static func connect(to place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        if let client = try connect(toSocketOf: place, app: app) { return client }
        // The agent may listen elsewhere, if it was started in another environment.
        guard let (_, socket) = AgentLock.read(place), socket != place.socket else { return nil }
        return try connect(toSocketOf: AgentPlace(place, socket: socket), app: app)
    }

    private static func connect(toSocketOf place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        if access(place.socket, F_OK) != 0 && errno == ENOENT { return nil }
        try SocketFiles.requirePrivate(folder: place.socketFolder)
        guard let socket = try SocketFiles.connect(to: place.socket) else { return nil }
        guard let peer = Peer(of: socket), peer.user == geteuid() else {
            close(socket)
            throw AgentError(.agent, "another user listens at \(place.socket): nothing was sent there")
        }
        let client = try AgentClient(Wire(socket, longestHead: WireLimits.headFromAgent), app: app)
        guard client.vault.utf8.elementsEqual(place.vault.utf8) else {
            throw AgentError(
                .agent, "the agent at \(place.socket) holds another vault, \(client.vault): end it, or name that vault")
        }
        // An agent whose folder was replaced would answer for a vault that is gone.
        guard AgentLock.isHeld(place) else {
            throw AgentError(
                .agent,
                "process \(client.process) holds a vault that was at \(place.vault) before: end it, and try again")
        }
        return client
    }

    /// Connects to the agent of the vault. If there is none, starts it first.
    package static func connect(
        orStartAt place: AgentPlace, app: String
    ) throws(AgentError) -> AgentClient {
        if let client = try connect(to: place, app: app) { return client }
        do throws(AgentError) { try AgentStart.run(ofVaultIn: place.vault) } catch {
            if let client = try awaitOther(of: place, app: app) { return client }
            // The other agent has ended, or there was none. If the start fails again, its error says why.
            try AgentStart.run(ofVaultIn: place.vault)
        }
        if let client = try connect(to: place, app: app) { return client }
        throw AgentError(.agent, "the agent of \(place.vault) was started, but does not listen at \(place.socket)")
    }

    /// Connects to an agent that another process has started at the same moment; returns nil once no agent holds the
    /// vault.
    private static func awaitOther(of place: AgentPlace, app: String) throws(AgentError) -> AgentClient? {
        let deadline = Deadline(AgentStart.patience)
        var silence: Deadline?
        while AgentLock.isHeld(place), deadline.left > 1 {
            if let client = try connect(to: place, app: app) { return client }
            // An agent that has published its socket, and does not listen there, is ending or cut off.
            if let said = AgentLock.read(place) {
                let end = silence ?? Deadline(endingPatience)
                silence = end
                if end.left <= 1 { throw unreachable(place, said.process) }
            }
            usleep(20_000)
        }
        return try connect(to: place, app: app)
    }

    /// The time that an agent may take to end after it has stopped listening, in milliseconds.
    private static let endingPatience: Int32 = 2000

    /// Returns the process of an agent that holds the vault but cannot be reached; nil if there is no agent. Its socket
    /// disappears with the folder of the session, for example at logout.
    package static func cutOff(from place: AgentPlace) -> Int32? { AgentLock.read(place)?.process }

    /// Returns the error for an agent that holds the vault but cannot be reached.
    package static func unreachable(_ place: AgentPlace, _ process: Int32) -> AgentError {
        AgentError(
            .agent,
            "process \(process) holds the keys of \(place.vault), but its socket is gone: run `latchkey agent stop`")
    }

    // MARK: - Asking

    /// Sends a request and returns the answer. `user` answers prompts; pass nil without a terminal. `part` gets each
    /// part of a long answer.
    ///
    /// - Throws: ``AgentError`` if the agent refuses the request or cannot be reached.
    package func ask<Call: AgentCall>(
        _ call: Call, because reason: String? = nil, of user: (any DeviceUser)?, unlocks: Bool = false,
        part: (Call.Part) throws(WireError) -> Void = { _ in }
    ) throws(AgentError) -> CallResult<Call.Reply> {
        let none: SecureBytes
        do { none = try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
        return try ask(call, because: reason, sending: none, of: user, unlocks: unlocks, part: part)
    }

    /// Asks for the list of all secrets, and passes each to `body` as it arrives. Returns the answer, which says how many
    /// are locked or damaged.
    package func list(
        isBrief: Bool, because reason: String? = nil, of user: (any DeviceUser)?, unlocks: Bool = false,
        _ body: (Entry) throws(WireError) -> Void
    ) throws(AgentError) -> CallResult<ListCall.Reply> {
        var reader = EntryReader()
        let none: SecureBytes
        do { none = try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
        return try ask(
            ListCall(isBrief: isBrief), because: reason, sending: none, of: user, unlocks: unlocks, part: body
        ) { (text) throws(WireError) in
            try reader.read(text, body)
        }
    }

    /// Sends a request together with a secret and returns the answer. If it `unlocks`, its user unlocks the vault first where it is
    /// locked. `text` gets the text of each frame first, and
    /// returns true if nothing else is to read in it.
    package func ask<Call: AgentCall>(
        _ call: Call, because reason: String? = nil, sending secret: borrowing SecureBytes,
        of user: (any DeviceUser)?, unlocks: Bool = false,
        part: (Call.Part) throws(WireError) -> Void = { _ in },
        unless text: (_ text: [UInt8]) throws(WireError) -> Bool = { _ in false }
    ) throws(AgentError) -> CallResult<Call.Reply> {
        var head = call.head
        if user == nil { head["ask"] = .bool(false) } else if unlocks { head["unlock"] = .bool(true) }
        if let reason { head["reason"] = .string(reason) }
        let message = head.text
        if let fault = Self.fault(ofLength: message.utf8.count) { throw fault }
        let fault: AgentError
        do throws(WireError) {
            try wire.send(message, secret: secret)
            let outcome = try outcome(
                user,
                { (more) throws(WireError) in
                    for value in try more.consumeList(Call.parts) { try part(Call.Part(json: value)) }
                }, text)
            switch consume outcome {
            case .done(var head, let secret):
                var reply = Call.Reply()
                try reply.read(from: &head)
                return CallResult(reply, secret: secret)
            case .failed(let error): fault = error
            }
        } catch { fault = Self.words(error) }
        throw fault
    }

    /// Returns the error that a request with a secret of `count` bytes is refused with before it is sent; nil if there is
    /// none.
    package static func fault(of request: any AgentCall, because reason: String?, secret count: Int) -> AgentError? {
        var head = request.head
        head["unlock"] = .bool(true)
        if let reason { head["reason"] = .string(reason) }
        if count > WireLimits.secret {
            return AgentError(.request, "a secret has at most \(WireLimits.secret) bytes, and this one has \(count)")
        }
        return fault(ofLength: head.text.utf8.count)
    }

    private static func fault(ofLength count: Int) -> AgentError? {
        if count <= WireLimits.headToAgent { return nil }
        return AgentError(
            .request, "the request has more than \(WireLimits.headToAgent) bytes without its secret: shorten it")
    }

    private enum Outcome: ~Copyable {
        case done(WireObject, SecureBytes?)
        case failed(AgentError)
    }

    /// Returns the final answer of the agent, after answering its prompts.
    private func outcome(
        _ user: (any DeviceUser)?, _ part: (inout WireObject) throws(WireError) -> Void,
        _ text: (_ text: [UInt8]) throws(WireError) -> Bool
    ) throws(WireError) -> Outcome {
        var frame = try wire.receive(unless: text)
        var hasMismatch = false
        while true {
            var head = frame.head
            if let done = try head.consumeHeadIfPresent("done") {
                return .done(done, frame.secret.take())
            }
            if var fault = try head.consumeHeadIfPresent("error") {
                let fault = try AgentError(from: &fault)
                // The agent hears only that the prompt was dismissed.
                return .failed(hasMismatch && fault.kind == .dismissed ? .mismatch("nothing was changed") : fault)
            }
            if var more = try head.consumeHeadIfPresent("more") {
                try part(&more)
                frame = try wire.receive()
            } else if var content = try head.consumeHeadIfPresent("ask") {
                frame = try answer(&content, user, &hasMismatch)
            } else {
                frame = try wire.receive()  // A prompt has ended that is no longer shown here.
            }
        }
    }

    private static func words(_ fault: WireError) -> AgentError {
        fault == .closed
            ? AgentError(
                .agent,
                "the agent ended before it answered, and may have done it or not: run `latchkey log` to see what it did"
            )
            : AgentError(fault)
    }

    /// Shows a prompt, sends the user's answer, and returns the next frame. Sets `hasMismatch` if the user typed something new
    /// twice, never the same.
    private func answer(
        _ head: inout WireObject, _ user: (any DeviceUser)?, _ hasMismatch: inout Bool
    ) throws(WireError) -> Frame {
        let (content, number) = try PromptContent.decoded(from: &head, app: app)
        let prompt = Prompt(content)
        if let user = user as? any AwayUser, user.isAway { return try leave(prompt, number, to: user) }
        let listening = PromptListener(wire, prompt, number)
        guard let user else {
            try wire.send(Gesture.canceled.head(number).text)
            return try wire.receive()
        }
        listening.begin()
        let response = user.answer(prompt)
        hasMismatch = prompt.hasMismatch
        if prompt.ending == nil || prompt.ending == .answered {
            let isTouch = try send(response, number)
            if isTouch && !content.isSensorFake {
                user.standBy(prompt)
                switch prompt.ending {
                case .fallback?, .canceled?:
                    if listening.heard == nil {
                        let end = prompt.ending == .fallback ? "fallback" : "cancelled"
                        try wire.send(WireObject(["number": .number("\(number)"), "end": .string(end)]).text)
                    }
                default: break
                }
            }
        }
        return try listening.next()
    }

    /// Leaves a prompt to a terminal that `latchkey approve` offers, and returns the frame that came after the prompt.
    private func leave(_ prompt: Prompt, _ number: Int, to user: any AwayUser) throws(WireError) -> Frame {
        try wire.send(Gesture.elsewhere.head(number).text)
        let frame = try wire.receive()
        var head = frame.head
        // The prompt may be over at once.
        guard var waiting = try head.consumeHeadIfPresent("waiting") else { return frame }
        user.noteWaiting(prompt, seconds: Int(clamping: try waiting.consumeNumber("seconds")))
        let listening = PromptListener(wire, prompt, number)
        listening.begin()
        return try listening.next()
    }

    /// Sends the user's answer. Returns true if the user turned to the sensor.
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

/// A listener that hears the agent while the user answers a prompt, since the agent may end the prompt first.
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

    /// The ending of the prompt that the agent has sent; nil if it has sent none.
    var heard: Prompt.Ending? { ending.withLock { $0 } }

    /// Listens on its own thread until a frame comes that does not end this prompt.
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

    /// Returns the frame that came after the prompt.
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
