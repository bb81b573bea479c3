internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import Synchronization
package import UserPresence

/// The requests whose prompts wait for a terminal that `latchkey approve` offers.
final class Approvals: Sendable {
    private struct State {
        var last = 0
        var requests: [Int: ApprovingUser] = [:]
    }

    private let state = Mutex(State())

    /// The most requests of one process that wait at a time, so that no process hides those of others.
    private static let mostOfOneProcess = 4

    /// Adds a request, and returns its number; nil if its process has too many of them.
    fileprivate func add(_ user: ApprovingUser) -> Int? {
        state.withLock { state -> Int? in
            let others = state.requests.values.filter { $0.process == user.process }
            if others.count >= Self.mostOfOneProcess { return nil }
            state.last += 1
            state.requests[state.last] = user
            return state.last
        }
    }

    fileprivate func remove(_ number: Int) { _ = state.withLock { $0.requests.removeValue(forKey: number) } }

    /// The requests with a prompt, in the order in which they came.
    var waiting: [WaitingRequest] {
        let requests = state.withLock { $0.requests }
        return requests.sorted { $0.key < $1.key }.compactMap { number, user in
            guard let (content, isShown) = user.waiting else { return nil }
            return WaitingRequest(number: number, content: content, isShown: isShown)
        }
    }

    /// Returns the request with this number for one terminal alone; nil if it is over, or if another one has it.
    func claim(_ number: Int) -> ApprovingUser? {
        guard let user = state.withLock({ $0.requests[number] }), user.claim() else { return nil }
        return user
    }
}

/// The user of a request without a place for its prompts, who answers at a terminal that `latchkey approve` offers.
///
/// The thread of the request posts each prompt and waits. The thread of the client that approves shows them, one after the
/// other, until the request is over.
package final class ApprovingUser: DeviceUser {
    /// A prompt that waits for its answer.
    private struct Posted: Sendable {
        /// The prompt as the terminal shows it. It ends with the one of the request.
        let prompt: Prompt
        let answer = Carrier<Response>()
        /// Given once there is an answer, or the prompt is over.
        let settled = Signal()
    }

    private struct State: Sendable {
        /// The number among all that wait; nil before the first prompt.
        var number: Int?
        /// The prompt that no terminal shows yet.
        var posted: Posted?
        /// The prompt of the request that was posted last, and the one that the terminal shows for it.
        var last: (asked: Prompt, shown: Prompt)?
        var isClaimed = false
        var isOver = false
        /// True if the process had no place for one more request.
        var wasRefused = false
        /// The error that the request ended with.
        var error: AgentError?
    }

    private let approvals: Approvals
    /// The process that asks; 0 if unknown.
    fileprivate let process: Int32
    private let tell: @Sendable () -> Void
    private let state = Mutex(State())
    /// Given when a prompt is posted, and when the request is over.
    private let changed = Signal()

    /// The time between two looks at whether the terminal is still there, in milliseconds.
    private static let pause = 500

    /// Creates the user. `tell` is called when a prompt waits, and says where to answer it. End it with the request.
    init(_ approvals: Approvals, of process: Int32, telling tell: @escaping @Sendable () -> Void = {}) {
        (self.approvals, self.process, self.tell) = (approvals, process, tell)
    }

    // MARK: - The request

    package func answer(_ prompt: Prompt) -> Response { answer(prompt, showing: prompt.content, telling: tell) }

    /// Posts a prompt, which the terminal shows with this content, and returns the answer.
    package func answer(_ prompt: Prompt, showing content: PromptContent, telling tell: () -> Void) -> Response {
        var content = content.cutToShown()
        content.isForAnotherTerminal = true
        let posted = Posted(prompt: prompt.replaced(showing: content))
        posted.prompt.whenOver { [settled = posted.settled] in settled.give() }
        let isFirst = state.withLock { state in
            (state.posted, state.last) = (posted, (prompt, posted.prompt))
            return state.number == nil
        }
        if isFirst {
            guard let number = approvals.add(self) else {
                state.withLock { ($0.posted, $0.wasRefused) = (nil, true) }
                prompt.end(.appCanceled)
                return .cancel
            }
            state.withLock { $0.number = number }
        }
        changed.give()
        tell()
        if !posted.settled.wait(upTo: Int(WireLimits.promptPatience)) { prompt.end(.timedOut) }
        state.withLock { $0.posted = nil }
        return posted.answer.take() ?? .cancel
    }

    /// Waits while the sensor works, and the terminal waits with the user.
    package func standBy(_ prompt: Prompt) {
        guard let shown = state.withLock({ $0.last?.shown }) else { return prompt.end(.canceled) }
        let isOver = Signal()
        prompt.whenOver { [weak prompt] in shown.end(prompt?.ending ?? .appCanceled) }
        shown.whenOver { isOver.give() }
        isOver.wait()
        prompt.end(shown.ending ?? .canceled)
    }

    /// Returns true if this is the prompt that was posted last.
    package func hasPosted(_ prompt: Prompt) -> Bool { state.withLock { $0.last?.asked === prompt } }

    /// True if the process had no place for one more request.
    package var wasRefused: Bool { state.withLock { $0.wasRefused } }

    /// Notes that the request is over, with the error that it ended with.
    package func end(_ error: AgentError?) {
        let number = state.withLock { state in
            (state.isOver, state.error) = (true, error)
            return state.number
        }
        if let number { approvals.remove(number) }
        changed.give()
    }

    // MARK: - The terminal that approves

    /// The prompt that waits for a terminal, or the last one if a terminal has the request; nil if there is none.
    var waiting: (content: PromptContent, isShown: Bool)? {
        state.withLock { state -> (content: PromptContent, isShown: Bool)? in
            if state.isOver { return nil }
            if state.isClaimed {
                guard let last = state.last else { return nil }
                return (last.shown.content, true)
            }
            guard let prompt = state.posted?.prompt, prompt.ending == nil else { return nil }
            return (prompt.content, false)
        }
    }

    /// Takes the request for one terminal. Returns false if it is over, or if another terminal has it.
    fileprivate func claim() -> Bool {
        state.withLock { state in
            if state.isOver || state.isClaimed { return false }
            state.isClaimed = true
            return true
        }
    }

    /// Has another user answer the prompts of the request, at the terminal that approves, until the request is over or that user
    /// `isGone`. Returns the error that it ended with.
    package func show(to user: some DeviceUser, until isGone: () -> Bool) -> AgentError? {
        defer { state.withLock { $0.isClaimed = false } }
        var isLate = false
        while true {
            let (posted, isOver, error) = state.withLock { state in
                defer { state.posted = nil }
                return (state.posted, state.isOver, state.error)
            }
            if isOver { return isLate ? .tooLate : error }
            if let posted {
                let response = user.answer(posted.prompt)
                let isTouch = response.isTouch
                isLate = posted.prompt.ending == .timedOut
                posted.answer.fill(response)
                posted.settled.give()
                if isTouch && !posted.prompt.content.isSensorFake { user.standBy(posted.prompt) }
            } else if !changed.wait(upTo: Self.pause), isGone() {
                return nil
            }
        }
    }
}

extension VaultService {
    /// Returns the user for a process without a place for prompts, who answers at a terminal that `latchkey approve` offers.
    /// Returns nil if the terminal of the process cannot say so.
    package func approvingUser(at process: Int32) -> ApprovingUser? {
        guard let path = PinentryPlace(of: process).terminal else { return nil }
        let terminal = TerminalUser(path: path)
        guard (try? terminal.check()) != nil else { return nil }
        let name = Terminal.name(Peer.Program(running: process).shortName)
        return ApprovingUser(approvals, of: process) {
            terminal.note(
                "latchkey: \(name) waits \(counted(seconds: WireLimits.promptSeconds)) for your approval: run `latchkey approve` in "
                    + "another terminal")
        }
    }
}

extension Visit {
    /// Returns the user who answers the prompts of a request at a terminal that `latchkey approve` offers.
    package func approvingUser() -> ApprovingUser { ApprovingUser(service.approvals, of: peer.process) }

    /// Returns a prompt for another terminal. Everything but the note with the client's own words is what the system and the
    /// agent know of the request. That note comes last.
    package func contentForAnotherTerminal(_ content: PromptContent) -> PromptContent {
        var content = complete(content)
        content.app = peer.client?.shortName ?? "a program"
        guard let (call, asked) = presentRequest else {
            content.reason = RequestPurpose.look.words
            return content
        }
        // This reason is the agent's own, and names the cost.
        if call is ImportBackupCall, content.kind == .passphrase {
            content.notes.insert("The agent wants to \(content.reason).", at: 0)
        }
        // A client can send any words as its reason, also those of the agent. So the title never has the reason.
        let purpose = call.purpose(usual: service.settings.policy)
        content.reason = purpose.words
        content.secret = call.subject?.name ?? content.secret
        if let reference = reference(of: call),
            let stored = try? service.keychain.lookUp(reference, by: requester)
        {
            let isReused = stored.description.allowsReuse && service.kept.reuse.sinceUse > .zero
            content.notes.insert("Its access policy asks \(isReused ? "once per session" : "each time").", at: 0)
        }
        content.notes = purpose.notes + content.notes
        if let client = peer.client, client.process != caller?.process, !client.isOwn {
            content.notes.insert(client.note, at: 0)
        }
        if purpose.hasReasonOfClient, let reason = asked.reason, !reason.isEmpty {
            content.notes = Array(content.notes.prefix(PromptContent.mostNotes - 1))
            content.notes.append("In the words of the program: \(Terminal.sentence(reason, longest: 80))")
        }
        return content
    }
}

extension AgentError {
    /// The error for a request of a process that has too many of them waiting.
    package static let tooManyWaiting = AgentError(
        .noTerminal, "this program already has several requests that wait for `latchkey approve`: answer those first")
    fileprivate static let tooLate = AgentError(
        .dismissed, "there was no answer in time, and the program got nothing")
    /// The error for an approval that did not lead to what the program asked for.
    package static let notGranted = AgentError(.dismissed, "the program did not get what it asked for")
}
