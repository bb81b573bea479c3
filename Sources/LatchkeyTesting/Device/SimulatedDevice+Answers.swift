internal import SodiumKit
internal import Synchronization
internal import UserPresence

extension SimulatedDevice {
    /// An answer of a script to one attempt at a prompt.
    public enum Answer: Hashable, Sendable, CaseIterable {
        /// The factor that the prompt asks for: an enrolled finger or face, the passcode, a confirmation on the companion, or
        /// the application password of ``user``. A user who knows no application password dismisses the prompt.
        case right
        /// A finger or face that is not enrolled, or another passcode or application password. A companion and a new
        /// application password have no wrong answer, so the prompt is dismissed.
        case wrong
        /// The cancel button.
        case cancel
        /// The fallback button. A prompt that offers none is dismissed.
        case fallback
        /// The home gesture: the system takes the prompt away. The app comes back at once. Set ``App/isInBackground`` to
        /// keep it away.
        case home
    }

    /// The answers to the next attempts at prompts, in order. Each attempt takes one, whichever prompt it belongs to. When
    /// none is left, ``user`` answers as before.
    ///
    ///     device.answers = [.wrong, .wrong, .right]
    ///     #expect(try TokenStore().load() == "s3cret")
    ///     #expect(device.prompts.map(\.attempts) == [3] && device.answers.isEmpty)
    ///
    /// A prompt accepts a limited number of attempts: Touch ID three, Face ID two. The question whether an app may use
    /// Face ID is no prompt of this kind: ``Person/permitsBiometry`` answers it.
    public var answers: [Answer] {
        get { script.withLock { $0 } }
        set { script.withLock { $0 = newValue } }
    }

    /// Returns the next answer of the script to `prompt`, or else that of the user.
    func nextAnswer(to prompt: Prompt) -> Response {
        let next = script.withLock { script in
            script.isEmpty || PromptRecord(prompt.content, .answered) == nil ? nil : script.removeFirst()
        }
        return next.map { response($0, to: prompt) } ?? user.simulated.answer(prompt)
    }

    private func response(_ answer: Answer, to prompt: Prompt) -> Response {
        switch answer {
        case .right:
            var person = owner
            person.applicationPassword = user.applicationPassword
            return person.simulated.answer(prompt)
        case .wrong: return wrongResponse(to: prompt.content)
        case .cancel: return .cancel
        case .fallback: return prompt.content.offersFallback ? .fallback : .cancel
        case .home:
            prompt.end(.systemCanceled)
            return .cancel
        }
    }

    private func wrongResponse(to content: PromptContent) -> Response {
        func other(than right: [String?], _ text: String) -> String {
            right.contains(text) ? other(than: right, text + "!") : text
        }
        return switch content.kind {
        case .biometry: .touch(showing: other(than: content.enrolled, "an unknown finger"))
        case .passcode: .typed(SecureBytes(forTest: other(than: [passcode], "a wrong passcode")))
        case .applicationPassword:
            .typed(SecureBytes(forTest: other(than: [user.applicationPassword], "a wrong password")))
        case .companion, .formerPasscode, .permission, .newApplicationPassword, .newPasscode, .recoveryKey, .passphrase,
            .newPassphrase, .newSecret:
            .cancel
        }
    }
}
