internal import AccessPolicy
internal import DeviceModel
internal import LinuxSystem
internal import SecretVault
package import UserPresence

extension Keychain {
    /// Lets the vault decide, meets the challenge if there is one, and lets it decide again: nothing else ever grants.
    ///
    /// `body` is what the caller wants of the vault, with the context that the proofs go into; it may run several times.
    func settle<Value: ~Copyable & Sendable>(
        _ errand: Errand, _ body: (Caller, VaultContext?) throws(VaultError) -> Reply<Value>
    ) throws(KeychainError) -> Value {
        if let context = errand.context, context.keychain !== self { throw .foreignContext }
        if errand.interaction == .preflight { throw .request(.preflight) }
        var errand = errand
        var hasChosen = false
        defer { if hasChosen { try? errand.context?.proofs.endChoosing() } }
        for _ in 0..<Self.rounds {
            let reply = try ask(errand, body)
            switch consume reply {
            case .granted(let value): return value
            case .denied(let denial): throw denied(denial)
            case .challenge(let challenge):
                if errand.context == nil { errand.context = try makeContext() }
                hasChosen = hasChosen || challenge.item == nil
                if let rule = try meet(challenge, errand) {
                    let caller = errand.caller(.believed)
                    let conditions = try onVault { (vault) throws(VaultError) in
                        try vault.recordPrompt(endedBy: rule, on: challenge.item, for: caller)
                        return try vault.conditions(for: caller)
                    }
                    throw denied(Denial(rule, under: conditions))
                }
            }
        }
        throw denied(Denial(.sheetFailed))
    }

    /// How often one call asks, before it gives up (semantics 4.4).
    private static let rounds = 20

    /// Runs `body` once; where something is decided that depends on the sensor, that is asked first whom it knows.
    func ask<Value: ~Copyable>(
        _ errand: Errand, _ body: (Caller, VaultContext?) throws(VaultError) -> Value
    ) throws(KeychainError) -> Value {
        let proofs = errand.context?.proofs
        do throws(VaultError) {
            return try body(errand.caller(sensor == nil ? .away : .unasked), proofs)
        } catch {
            guard error == .sensorUnasked else { throw .vault(error) }
        }
        let word = try askSensor()
        do throws(VaultError) { return try body(errand.caller(word), proofs) } catch { throw .vault(error) }
    }

    /// Asks the holder for what is missing. The rule by which that ended without a proof, if it did.
    private func meet(_ challenge: Challenge, _ errand: Errand) throws(KeychainError) -> Rule? {
        guard let context = errand.context else { return .sheetFailed }
        let conditions = try onVault { (vault) throws(VaultError) in
            try vault.conditions(for: errand.caller(.believed))
        }
        // A device that was locked since shows nothing; the next decision says so.
        guard let ticket = try onVault({ (vault) throws(VaultError) in try vault.openSheet() }) else { return nil }
        if conditions.needsPermission(for: challenge.ways) { return try askPermission(errand, ticket) }
        return try SheetRun(self, challenge, errand, context, ticket).run()
    }

    /// A sensor that needs permission asks for it when an app first comes to use it. Where the prompt is taken away, nobody
    /// has given it or refused it, and the rule is given by which that ended.
    private func askPermission(_ errand: Errand, _ ticket: SheetTicket) throws(KeychainError) -> Rule? {
        let prompt = Prompt(Question(.permission, reason: errand.words.reason, app: errand.requester.name))
        let response = answer(to: prompt, of: errand.context, at: ticket)
        switch prompt.ending {
        case nil, .answered, .cancelled, .fallback: break
        case .systemCancelled, .timedOut: return .sheetSystemCancelled
        case .appCancelled: return .sheetAppCancelled
        }
        let isGiven: Bool
        switch response {
        case .confirm: isGiven = prompt.ending == nil
        default: isGiven = false
        }
        let app = errand.requester.app
        try carry { (vault) throws(VaultError) in
            try vault.apply(isGiven ? .biometryPermitted(app) : .biometryDenied(app))
        }
        return nil
    }

    /// What the holder answers to a question that is no item's. A lock takes it away like any other.
    package func ask(_ prompt: Prompt) -> Response { answer(to: prompt, of: nil) }

    /// What the holder answers, in bounded time. Whoever does not answer by themselves does so on a thread of their own, and
    /// is left to it where the prompt ends without them.
    ///
    /// What was over before it could be taken away is not shown at all: a lock does not know of prompts that come after it.
    func answer(to prompt: Prompt, of context: KeychainContext?, at ticket: SheetTicket? = nil) -> Response {
        let response = show(prompt, of: context, at: ticket)
        watcher?.asked(prompt.question, ending: prompt.ending ?? Prompt.Ending(response))
        return response
    }

    private func show(_ prompt: Prompt, of context: KeychainContext?, at ticket: SheetTicket?) -> Response {
        let holder = holder
        return prompts.showing(prompt, of: context) {
            if let ticket, (try? vault.isOver(ticket)) ?? true { prompt.end(.systemCancelled) }
            if let context, (try? context.evidence.isInvalidated) ?? true { prompt.end(.appCancelled) }
            if prompt.ending != nil { return .cancel }
            if holder.answersAtOnce { return holder.answer(prompt) }
            let box = ResponseBox()
            let outcome = holders.run(upTo: patience.holder * 1000, until: prompt) {
                box.fill(holder.answer(prompt))
            }
            switch outcome {
            case .finished: return box.take()
            case .leftBehind, .notBegun:
                prompt.end(.timedOut)
                return .cancel
            }
        }
    }

    /// Lets something happen to the device, and takes away the prompts that it ends.
    @discardableResult
    func carry(_ event: (Vault) throws(VaultError) -> Effects) throws(KeychainError) -> Effects {
        let effects = try onVault(event)
        takeAway(effects)
        return effects
    }
}

extension Prompt.Ending {
    /// How a prompt ends by being answered so.
    fileprivate init(_ response: borrowing Response) {
        self =
            switch response {
            case .fallback: .fallback
            case .cancel: .cancelled
            default: .answered
            }
    }
}
