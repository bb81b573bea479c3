internal import AgentProtocol
internal import LinuxSystem
internal import SecretService
internal import Synchronization
internal import UserPresence

/// A user who is asked on behalf of a program of the desktop, for as long as the program's call lasts.
final class DesktopUser: DeviceUser {
    /// The items that the next prompt names.
    struct Naming: Sendable {
        /// The names of the secrets.
        var names: [String] = []
        /// More lines for the prompt.
        var notes: [String] = []
    }

    private struct State: Sendable {
        var naming = Naming()
        var named: Set<String> = []
        /// The user, once it was looked for.
        var found: (any DeviceUser)??
        /// The reason why the program gets no prompt, if it has too many of them.
        var refusal: String?
    }

    private let state = Mutex(State())
    private let visit: Visit
    private let asking: CallLifetime
    private let limits: AskingLimits<String>
    private let names: [String]
    private let notes: [String]
    private let find: @Sendable () -> (any DeviceUser)?

    /// Creates a user who answers as the one that `find` returns does, if the limits leave room for a prompt of the program with
    /// these names. Each prompt has these notes about the program. End it with the call.
    init(
        of visit: Visit, during asking: CallLifetime, _ limits: AskingLimits<String>, _ names: [String],
        notes: [String], _ find: @escaping @Sendable () -> (any DeviceUser)?
    ) {
        (self.visit, self.asking, self.limits) = (visit, asking, limits)
        (self.names, self.notes, self.find) = (names, notes, find)
    }

    private var inner: (any DeviceUser)? {
        if let found = state.withLock({ $0.found }) { return found }
        let refusal = begin()
        var found: (any DeviceUser)?
        if refusal == nil {
            found = find()
            if found == nil { limits.end(names) }
        }
        state.withLock { ($0.found, $0.refusal) = (.some(found), refusal) }
        return found
    }

    /// Takes the place of a prompt. Returns the reason if there is none for the program.
    private func begin() -> String? {
        guard limits.begin(names, atMost: 1) else {
            return "another prompt of this program is open, or \(DesktopStore.mostPrompts) prompts of others are"
        }
        // Look only now: a prompt of the program may have been dismissed a moment ago.
        guard limits.isSilent(names) else { return nil }
        limits.end(names)
        return "this program gets no prompt now, because you dismissed one or left several without an answer: "
            + "run `latchkey secret-service status`"
    }

    /// Gives the place of a prompt to the next program. Call it once, when the call is over.
    func end() {
        guard let found = state.withLock({ $0.found ?? nil }) else { return }
        (found as? ApprovingUser)?.end(visit.hasAuthenticated ? nil : .notGranted)
        limits.end(names)
    }

    /// The reason why the limits left no room for a prompt; nil if they did, or none was needed.
    var refusal: String? { state.withLock { $0.refusal } }

    /// Notes that the user has answered, and never right.
    func noteWrongAnswers() { limits.noteDismissal(names) }

    /// Notes that a prompt gave no answer.
    private func note(_ ending: Prompt.Ending) {
        switch ending {
        case .canceled: limits.noteDismissal(names)
        case .appCanceled, .timedOut: limits.noteMiss(names)
        // A lock is no answer of the user.
        case .answered, .fallback, .systemCanceled: break
        }
    }

    /// True if a prompt can be shown. Ask only when one is needed: it takes a look at the surroundings of the program.
    var isThere: Bool { inner != nil }
    /// The items that the next prompt names.
    var naming: Naming {
        get { state.withLock { $0.naming } }
        set { state.withLock { $0.naming = newValue } }
    }

    /// Returns true if a prompt has named this secret.
    func wasShown(_ name: String) -> Bool { state.withLock { $0.named.contains(name) } }

    var answersAtOnce: Bool { inner?.answersAtOnce ?? true }

    func answer(_ prompt: Prompt) -> Response {
        guard !asking.isOver, let inner else {
            prompt.end(.appCanceled)
            return .cancel
        }
        let copy = copy(of: prompt)
        let response = inner.answer(copy)
        if response.isDismissal { note(copy.ending ?? .canceled) }
        return response
    }

    func standBy(_ prompt: Prompt) {
        guard let inner else { return prompt.end(.appCanceled) }
        let copy = copy(of: prompt)
        inner.standBy(copy)
        note(copy.ending ?? .canceled)
        prompt.end(copy.ending ?? .canceled)
    }

    /// Returns the prompt with what the user has to know. It ends with `prompt`, and both end with the call.
    private func copy(of prompt: Prompt) -> Prompt {
        visit.countPrompt()
        let naming = state.withLock { state in
            state.named.formUnion(state.naming.names)
            return state.naming
        }
        var content = visit.complete(prompt.content)
        content.notes += notes + naming.notes
        content.app = "A program of the desktop"
        let copy = prompt.replaced(showing: content)
        asking.whenOver { [weak prompt, weak copy] in
            prompt?.end(.appCanceled)
            copy?.end(.appCanceled)
        }
        return copy
    }
}

/// A program of the desktop, as the system identifies it. It helps a person to recognize the program, and decides nothing.
struct DesktopProgram: Sendable {
    let peer: Peer
    /// The unit of the service manager, such as app-chromium-1234.scope; nil if it is in none.
    let unit: String?
    let isRemote: Bool

    /// The name of all programs whose executable is not known.
    static let unknown = "unknown"

    /// The name of the executable.
    var name: String { peer.client?.path ?? Self.unknown }

    init(_ caller: SecretCaller, user: UInt32, isRemote: (Int32) -> Bool) {
        guard caller.process > 0 else {
            peer = Peer(user: user, client: Peer.Program(process: 0, path: nil), parent: nil)
            (unit, self.isRemote) = (nil, true)
            return
        }
        peer = Peer(running: caller.process, of: user)
        let group = ProcessProgram(of: caller.process)?.group.split(separator: "/").last.map(String.init)
        unit = group.flatMap { $0.hasSuffix(".service") || $0.hasSuffix(".scope") ? $0 : nil }
        self.isRemote = isRemote(caller.process)
    }

    /// The lines of a prompt about the program, besides its path.
    var notes: [String] {
        var notes: [String] = []
        if let parent = peer.parent {
            notes.append("Started by \(parent.path ?? parent.name.map { "\"\($0)\"" } ?? "an unknown program").")
        }
        if let unit { notes.append("Unit: \(unit).") }
        return notes
    }
}
