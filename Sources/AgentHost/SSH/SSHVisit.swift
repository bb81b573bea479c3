internal import AgentProtocol
internal import Prompts
internal import SodiumKit
internal import Synchronization
internal import VaultService

/// A visit of an SSH client for one signature or one lock, so that what its user proves never serves another signature of a client
/// that a remote host may drive. Prompts appear at a pinentry, or at a terminal that `latchkey approve` offers.
final class SSHVisit: Visitor {
    /// A prompt of the keychain, and the one that is shown for it.
    private struct Shown {
        var asked: Prompt
        var copy: Prompt
    }

    private let visit: Visit
    private let session: SSHSession
    private let place: (any DeviceUser)?
    private let complete: @Sendable (inout PromptContent) -> Void
    private let shown = Mutex<Shown?>(nil)

    /// Begins a visit of the client of `session`. Prompts appear at `place`, if there is one. A prompt for a signature reads files of
    /// the user for its reason, so `complete` is called for each prompt, and for no signature without one.
    init(
        _ session: SSHSession, sharesAuthentications: Bool = true, putsOffLock: Bool = true,
        promptsAt place: (any DeviceUser)? = nil,
        _ complete: @escaping @Sendable (inout PromptContent) -> Void = { _ in }
    ) {
        (self.session, self.place, self.complete) = (session, place, complete)
        let caller = session.caller
        visit = Visit(
            session.server.service, caller.peer, caller.process, caller: caller.peer.client,
            sharesAuthentications: sharesAuthentications, putsOffLock: putsOffLock)
    }

    /// True if prompts can be shown.
    var mayAsk: Bool { place != nil }
    /// True if there was a prompt.
    var wasAsked: Bool { visit.promptCount > 0 }

    /// Does what the client asks for. If the client ends, so does a prompt.
    func perform<Call: Deed>(
        _ call: Call, _ secret: consuming SecureBytes? = nil
    ) throws(AgentError) -> CallResult<Call.Reply> {
        let watch = HangupWatch(session.socket) { [self] in
            shown.withLock { $0?.asked }?.end(.appCanceled)
        }
        defer { watch.end() }
        return try visit.perform(call, AskedRequest(mayAsk: mayAsk, unlocks: true, by: self), secret)
    }

    func end() { visit.end() }

    var isGone: Bool { HangupWatch.isGone(session.socket) }

    var user: any DeviceUser { SSHUser(visit: self) }

    /// Does nothing: no signature has parts.
    func take(part: [UInt8]) {}

    func show(_ user: ApprovingUser) -> AgentError? { .notGranted }

    /// Does nothing: no loan is over a connection of SSH.
    func cut() {}

    /// The user of the client.
    private struct SSHUser: DeviceUser {
        let visit: SSHVisit

        func answer(_ prompt: Prompt) -> Response {
            guard let place = visit.place, !visit.isGone else {
                prompt.end(.appCanceled)
                return .cancel
            }
            let copy = visit.copy(of: prompt)
            let response = place.answer(copy)
            // Neither the program nor the time that is over counts as a dismissal.
            if let ending = copy.ending, [.appCanceled, .timedOut, .systemCanceled].contains(ending) {
                prompt.end(ending)
            }
            return response
        }

        func standBy(_ prompt: Prompt) {
            guard let shown = visit.shown.withLock({ $0 }), shown.asked === prompt else {
                return prompt.end(.appCanceled)
            }
            // A fake sensor has its answer already.
            if shown.copy.content.isSensorFake { return }
            visit.place?.standBy(shown.copy)
            if let ending = shown.copy.ending { prompt.end(ending) }
        }
    }

    /// Returns the prompt with what the user has to know. It ends with `prompt`.
    private func copy(of prompt: Prompt) -> Prompt {
        visit.countPrompt()
        var content = visit.complete(prompt.content)
        content.app = session.program
        content.offersFallbackLater = false
        complete(&content)
        let copy = prompt.replaced(showing: content)
        shown.withLock { $0 = Shown(asked: prompt, copy: copy) }
        // The watch has told of an end before this only once.
        if isGone { prompt.end(.appCanceled) }
        return copy
    }
}
