internal import LinuxSystem
internal import SecretService
internal import Synchronization
internal import UserPresence

/// A user who is asked on behalf of a program of the desktop, for as long as the program's call lasts.
final class DesktopUser: DeviceUser {
    private let inner: any DeviceUser
    private let asking: Asking
    private let complete: @Sendable (PromptContent) -> PromptContent
    private let shown = Atomic(0)

    /// Creates a user who answers as `inner` does. `complete` adds to each prompt what the user has to know of the program.
    init(
        _ inner: any DeviceUser, during asking: Asking,
        _ complete: @escaping @Sendable (PromptContent) -> PromptContent
    ) {
        (self.inner, self.asking, self.complete) = (inner, asking, complete)
    }

    /// The number of prompts so far.
    var prompts: Int { shown.load(ordering: .relaxed) }

    var answersAtOnce: Bool { inner.answersAtOnce }

    func answer(_ prompt: Prompt) -> Response {
        guard !asking.isOver else {
            prompt.end(.appCanceled)
            return .cancel
        }
        shown.add(1, ordering: .relaxed)
        return inner.answer(copy(of: prompt))
    }

    func standBy(_ prompt: Prompt) {
        let copy = copy(of: prompt)
        inner.standBy(copy)
        prompt.end(copy.ending ?? .canceled)
    }

    /// Returns the prompt with what the user has to know. It ends with `prompt`, and both end with the call.
    private func copy(of prompt: Prompt) -> Prompt {
        let copy = Prompt(complete(prompt.content))
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
        if let parent = peer.parent { notes.append("Started by \(parent.path ?? "an unknown program").") }
        if let unit { notes.append("Unit: \(unit).") }
        return notes
    }
}
