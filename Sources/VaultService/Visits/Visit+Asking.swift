internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import PlainText
internal import SodiumKit
internal import UserPresence

// Answers a request, and asks its user. The keychain makes every decision.

extension Visit {
    /// Answers a request. If the vault is locked and the caller wants that, its user unlocks it, and the request is done once more, with
    /// a copy of its secret if there is room for one.
    func answer<Call: Deed>(
        _ call: Call, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Call.Reply> {
        guard asked.unlocks else { return try answerOnce(call, asked, secret) }
        let again: SecureBytes?
        let share: SecretBudget.Share?
        switch consume secret {
        case .some(let secret):
            // A lock while a long secret is under way is rare, and the vault is seldom locked.
            guard !service.isUnlocked || secret.count <= WireLimits.typed,
                let room = try? service.budget.share(of: secret.count), let copy = try? secret.copy()
            else { return try answerOnce(call, asked, secret) }
            share = room
            again = consume copy
            do throws(AgentError) { return try answerOnce(call, asked, secret) } catch {
                try unlock(asked, after: error)
            }
        case .none:
            share = nil
            again = nil
            do throws(AgentError) { return try answerOnce(call, asked, nil) } catch { try unlock(asked, after: error) }
        }
        defer { withExtendedLifetime(share) {} }
        return try answerOnce(call, asked, again)
    }

    /// Has the user unlock the vault for a list that lacks names, if the caller wants that. Returns true if the list has to be made
    /// once more.
    func unlock(_ asked: AskedRequest, forMissing count: Int) throws(AgentError) -> Bool {
        guard count > 0, asked.unlocks else { return false }
        // Another client may have unlocked it meanwhile.
        if !service.isUnlocked { try unlock(asked) }
        return true
    }

    /// Has the user unlock the vault, if an error says that it is locked. Throws the error if it says anything else.
    private func unlock(_ asked: AskedRequest, after error: AgentError) throws(AgentError) {
        guard error.kind == .locked else { throw error }
        try unlock(asked)
    }

    private func unlock(_ asked: AskedRequest) throws(AgentError) {
        // The vault locks itself if another program changes its root. Then the process ends, and no prompt comes.
        try followUse()
        _ = try answerOnce(UnlockCall(bySensor: false), asked, nil)
        try followUse()
    }

    /// Tells the parts that the vault was used. Throws if the process ends for that.
    private func followUse() throws(AgentError) {
        service.events.tell(.used(mayHaveChanged: false))
        if service.isEnding {
            throw AgentError(
                .agent, "the agent ends, because another program has changed the vault: run the command again")
        }
    }

    /// Does the deed of a request, and keeps what its user has proved.
    private func answerOnce<Call: Deed>(
        _ call: Call, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Call.Reply> {
        let outer = presentRequest
        presentRequest = (call, asked)
        defer { presentRequest = outer }
        do throws(AgentError) {
            let (before, locks) = (promptCount, service.kept.locks)
            // A request that shows no prompt, such as a lock, waits for nothing here.
            defer { if promptCount != before { noteEvidence() } }
            let answer = try call.run(self, asked, secret)
            // Before the answer, because the next program may ask as soon as the client has it.
            if promptCount != before {
                noteAuthentication()
                try keepAuthentication(for: call, since: locks)
            }
            return answer
        } catch {
            if error.kind == .notFound, case .secret(let name) = call.subject, wasDeleted(name) {
                throw AgentError(
                    .notFound, "\(name) was deleted: to bring it back, run `latchkey undo \(name)`",
                    status: error.status)
            }
            if let delayed = untilWhen(error) { throw delayed }
            // A prompt that was not shown was not dismissed either.
            if error.kind == .dismissed && !asked.mayAsk { throw error.asUnasked }
            throw error
        }
    }

    /// Returns an error about wrong passcodes with the time until one is accepted again; nil for any other error.
    private func untilWhen(_ error: AgentError) -> AgentError? {
        let isRefused = error.rule == Rule.passcodeDelayed.identifier
        guard isRefused || error.rule == Rule.sheetFailed.identifier, let device = try? service.keychain.device else {
            return nil
        }
        switch device.passcodeState {
        // The last wrong passcode of a prompt may have been one too many.
        case .delayed: break
        case .disabled where !isRefused: return AgentError(KeychainError.refused(.passcodeDisabled))
        case .ready, .notSet, .disabled: if !isRefused { return nil }
        }
        return .passcodeDelayed(device.passcodeDelay, status: error.status)
    }

    /// Calls `body` with the keychain and throws its errors as ``AgentError``.
    func onKeychain<Value: ~Copyable>(
        _ body: (Keychain) throws(KeychainError) -> Value
    ) throws(AgentError) -> Value {
        do throws(KeychainError) { return try body(service.keychain) } catch {
            var fault = AgentError(error)
            if case .wrongPasscode = error, let words = wordsOfWrongPasscode { fault.message = words }
            throw fault
        }
    }

    /// The message after a wrong passcode: how many are left before a delay, and what to do. Nil if none is left, or if the
    /// vault cannot be read.
    private var wordsOfWrongPasscode: String? {
        guard let device = try? service.keychain.device else { return nil }
        let left = device.wrongPasscodeLimit - device.wrongPasscodes.count
        guard left > 0 else { return nil }
        let way = (try? service.keychain.hasRecoveryKey) == true
        return
            "the passcode is wrong: try again; \(counted(left, "attempt is", "attempts are")) left, and then none is "
            + "accepted for a while" + (way ? ". If you forgot it, run `latchkey recover` with the recovery key" : "")
    }

    /// Shows a prompt at the client's terminal and returns what the user typed.
    func ask(
        _ kind: PromptContent.Kind, because reason: String, attempt: Int = 1, of limit: Int? = nil, notes: [String] = []
    ) throws(AgentError) -> SecureBytes {
        var content = PromptContent(kind, reason: reason)
        content.notes = notes
        // A note is about the last answer, so the prompt must not call that one wrong: the allowance counts earlier mistakes.
        content.attempt = notes.isEmpty ? attempt : 1
        content.allowance = limit.map { .init(number: attempt, limit: $0) }
        let prompt = Prompt(content)
        let response = service.keychain.ask(prompt)
        if prompt.ending == .systemCanceled {
            throw AgentError(.dismissed, "the vault was locked before you answered, and nothing was done")
        }
        if case .typed(let typed) = consume response { return typed }
        throw AgentError(.dismissed, "nothing was typed, and nothing was changed")
    }

    /// Shows a prompt until what the user typed is right, as often as a prompt for the passcode.
    ///
    /// - Parameters:
    ///   - kind: The kind of the prompt.
    ///   - reason: The reason for it.
    ///   - gap: Returns what is missing in an answer, so that it is no try and the user types it again; nil if nothing is.
    ///   - check: Returns what follows from what was typed, or the reason why that is wrong. It throws what another
    ///     answer would not change.
    /// - Throws: The last reason, if the last answer is wrong too.
    func ask<Value>(
        _ kind: PromptContent.Kind, because reason: String,
        without gap: (borrowing SecureBytes) -> String? = { _ in nil },
        until check: (borrowing SecureBytes) throws(AgentError) -> Result<Value, AgentError>
    ) throws(AgentError) -> Value {
        let tries = Sheet(Ways([.passcode]), sensor: .none).tries(for: .passcode)
        var attempt = 1
        var gaps = 0
        // The note about the last answer alone: an earlier one would contradict it.
        var notes: [String] = []
        while true {
            let typed = try ask(kind, because: reason, attempt: attempt, of: tries, notes: notes)
            if let gap = gap(typed), gaps < tries {
                gaps += 1
                notes = [gap]
                continue
            }
            notes = []
            switch try check(typed) {
            case .success(let value): return value
            case .failure(let fault): if attempt >= tries { throw fault }
            }
            attempt += 1
        }
    }

    /// Throws if the device refused.
    func require(_ effects: Effects) throws(AgentError) {
        if let refusal = effects.refusal { throw AgentError(KeychainError.refused(refusal)) }
    }

    /// Throws if the path of a file is not absolute.
    func requireAbsolute(_ path: String) throws(AgentError) {
        if path.utf8.first != UInt8(ascii: "/") {
            throw AgentError(.request, "the path of the file has to be absolute")
        }
    }

    /// Asks the user to turn to the sensor. Returns the prompt, which the user may still end, and the finger that a
    /// fake sensor is shown.
    func showSensor(because reason: String, _ asked: AskedRequest) throws(AgentError) -> (Prompt, shown: String?) {
        let status = try StatusCall().run(self, asked, nil).reply
        var content = PromptContent(.biometry, reason: reason)
        content.sensor = try onKeychain { (keychain) throws(KeychainError) in try keychain.device.settings.sensor }
        content.enrolled = status.enrolled
        content.isSensorFake = status.isSensorFake
        let prompt = Prompt(content)
        let response = service.keychain.ask(prompt)
        if case .touch(let shown) = consume response { return (prompt, shown) }
        throw AgentError(.dismissed, "the prompt for the sensor was dismissed")
    }
}

extension Device {
    /// The number of seconds in which no passcode is accepted; 0 if one is.
    var passcodeDelay: Int { max(0, Int((delayedUntil - now).milliseconds + 999) / 1000) }
}

extension AgentError {
    /// The error for a client that may show no prompt.
    fileprivate var asUnasked: AgentError {
        AgentError(
            .noTerminal, "authentication is needed and there is no terminal: run the command in one", rule: rule,
            status: status)
    }
}
