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
        var prompts = 0
        var hasAuthenticated = false
        /// The user, once it was looked for.
        var found: (any DeviceUser)??
    }

    private let state = Mutex(State())
    private let asking: Asking
    private let find: @Sendable () -> (any DeviceUser)?
    private let complete: @Sendable (PromptContent) -> PromptContent

    /// Creates a user who answers as the one that `find` returns does. `complete` adds to each prompt what the user has to know of
    /// the program.
    init(
        during asking: Asking, _ complete: @escaping @Sendable (PromptContent) -> PromptContent,
        _ find: @escaping @Sendable () -> (any DeviceUser)?
    ) {
        (self.asking, self.complete, self.find) = (asking, complete, find)
    }

    private var inner: (any DeviceUser)? {
        if let found = state.withLock({ $0.found }) { return found }
        let found = find()
        state.withLock { $0.found = .some(found) }
        return found
    }

    /// True if a prompt can be shown. Ask only when one is needed: it takes a look at the surroundings of the program.
    var isThere: Bool { inner != nil }
    /// The number of prompts so far.
    var prompts: Int { state.withLock { $0.prompts } }
    /// True once the user has authenticated.
    var hasAuthenticated: Bool {
        get { state.withLock { $0.hasAuthenticated } }
        set { state.withLock { $0.hasAuthenticated = newValue } }
    }
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
        return inner.answer(copy(of: prompt))
    }

    func standBy(_ prompt: Prompt) {
        guard let inner else { return prompt.end(.appCanceled) }
        let copy = copy(of: prompt)
        inner.standBy(copy)
        prompt.end(copy.ending ?? .canceled)
    }

    /// Returns the prompt with what the user has to know. It ends with `prompt`, and both end with the call.
    private func copy(of prompt: Prompt) -> Prompt {
        let naming = state.withLock { state in
            state.prompts += 1
            state.named.formUnion(state.naming.names)
            return state.naming
        }
        var content = complete(prompt.content)
        content.notes += naming.notes
        let copy = Prompt(content)
        prompt.whenOver { [weak prompt] in copy.end(prompt?.ending ?? .appCanceled) }
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
