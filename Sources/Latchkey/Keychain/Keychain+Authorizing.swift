internal import AccessPolicy
internal import DeviceModel
internal import LinuxSystem
internal import SecretVault
package import UserPresence

extension Keychain {
    /// Drives a negotiation to its end: the vault decides, the user answers the prompts, and the vault decides again.
    /// No other code grants anything.
    ///
    /// `body` calls the vault with the context that receives the factors. It may run several times.
    func authorize<Value: ~Copyable & Sendable>(
        _ call: KeychainCall, _ body: (Caller, VaultContext?) throws(VaultError) -> Reply<Value>
    ) throws(KeychainError) -> Value {
        if let context = call.context, context.keychain !== self { throw .foreignContext }
        if call.interaction == .preflight { throw .request(.preflight) }
        // A terminal has room for the fallback from the beginning, and its user should not have to fail first.
        var turn = NegotiationTurn.begins(hidesFallback: call.hidesFallback, isFallbackImmediate: isReal)
        // Most calls end without a prompt.
        var run: PromptRun?
        defer { run?.end() }
        while true {
            let reply: Reply<Value>
            if let run { reply = try ask(run.call, turn, body) } else { reply = try ask(call, turn, body) }
            switch consume reply {
            case .granted(let value): return value
            case .denied(let denial): throw denied(denial)
            case .challenge(let challenge):
                var prompts = run ?? PromptRun(self, call)
                run = nil
                defer { run = prompts }
                turn = .continues(try prompts.answer(challenge))
            }
        }
    }

    /// Runs `body`. If the decision depends on the sensor, it asks the sensor for its enrollments and runs `body`
    /// again.
    func ask<Value: ~Copyable>(
        _ call: KeychainCall, _ turn: NegotiationTurn = .begins(),
        _ body: (Caller, VaultContext?) throws(VaultError) -> Value
    ) throws(KeychainError) -> Value {
        let vaultContext = call.context?.vaultContext
        if !call.needsSensor {
            do {
                return try body(call.caller(sensor == nil ? .away : .unasked, turn), vaultContext)
            } catch {
                guard error == .sensorUnasked else { throw .vault(error) }
            }
            if let item = call.item { call.context?.noteSensor(of: item) }
        }
        let word: SensorWord = isOutOfReach(of: call.requester) ? .away : try askSensor()
        do {
            return try body(call.caller(word, turn), vaultContext)
        } catch {
            throw .vault(error)
        }
    }

    /// Returns the user's answer to a prompt that concerns no item. A lock dismisses it like any other prompt.
    package func ask(_ prompt: Prompt) -> Response { answer(to: prompt, of: nil) }

    /// Returns the user's answer, or a cancellation once the wait for it exceeds its limit.
    ///
    /// If the user is a person, the answer is awaited on a separate thread, which is left behind if the prompt ends
    /// first.
    ///
    /// A prompt that is over already is not shown at all. A lock ends only the prompts that are open when it happens,
    /// so each new prompt checks its ticket first.
    func answer(to prompt: Prompt, of context: KeychainContext?, at ticket: PromptTicket? = nil) -> Response {
        let response = show(prompt, of: context, at: ticket)
        watcher?.asked(prompt.content, ending: prompt.ending ?? Prompt.Ending(response))
        return response
    }

    private func show(_ prompt: Prompt, of context: KeychainContext?, at ticket: PromptTicket?) -> Response {
        let user = user
        return prompts.showing(prompt, of: context) {
            if let ticket, (try? vault.isOver(ticket)) ?? true { prompt.end(.systemCanceled) }
            // An app that went to the background after the decision.
            if requester.isInBackground { prompt.end(.systemCanceled) }
            if let context, (try? context.evidence.isInvalidated) ?? true { prompt.end(.appCanceled) }
            if prompt.ending != nil { return .cancel }
            if user.answersAtOnce { return user.answer(prompt) }
            let box = ResponseBox()
            let outcome = users.run(upTo: patience.user * 1000, until: prompt) {
                box.fill(user.answer(prompt))
            }
            switch outcome {
            case .finished: return box.take()
            case .leftBehind, .notBegun:
                prompt.end(.timedOut)
                return .cancel
            }
        }
    }

    /// Carries out an event of the device, and dismisses the prompts that it ends.
    @discardableResult
    func carry(_ event: @autoclosure () throws(VaultError) -> Effects) throws(KeychainError) -> Effects {
        let effects = try onVault(try event())
        endPrompts(effects)
        return effects
    }
}

extension Prompt.Ending {
    fileprivate init(_ response: borrowing Response) {
        self =
            switch response {
            case .fallback: .fallback
            case .cancel: .canceled
            default: .answered
            }
    }
}
