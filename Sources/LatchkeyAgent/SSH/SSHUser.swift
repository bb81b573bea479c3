internal import AgentProtocol
internal import Synchronization
internal import UserPresence

/// The user of an SSH client, who answers at a pinentry or at another terminal.
final class SSHUser: CompletingUser {
    private let place: any DeviceUser
    private let secret: String
    private let reason: @Sendable () -> String
    private let asked = Atomic(false)
    var wasAsked: Bool { asked.load(ordering: .relaxed) }

    /// Creates the user. A prompt for a signature reads files of the user for its reason, so `reason` is called for each
    /// prompt, and for no signature without one. `secret` is the name of the key.
    init(
        _ place: any DeviceUser, signingWith secret: String, because reason: @escaping @Sendable () -> String
    ) {
        self.place = place
        self.secret = secret
        self.reason = reason
    }

    /// Adds the reason and the name of the key to a prompt. The reason has words of the client, so it never stands for the
    /// name.
    func complete(_ content: inout PromptContent) {
        content.reason = reason()
        content.secret = secret
    }

    func answer(_ prompt: Prompt) -> Response {
        asked.store(true, ordering: .relaxed)
        return place.answer(prompt)
    }

    func standBy(_ prompt: Prompt) {
        asked.store(true, ordering: .relaxed)
        place.standBy(prompt)
    }
}
