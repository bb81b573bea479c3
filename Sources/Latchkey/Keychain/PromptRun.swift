internal import AccessPolicy
internal import DeviceModel
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// The prompts of one negotiation. It shows them and checks the answers.
struct PromptRun {
    private var negotiation: Negotiation
    private(set) var call: KeychainCall
    private let keychain: Keychain
    /// The item that the challenge is about; nil if it is not stored.
    private var item: ItemIdentifier?
    /// The context that receives the factors, and the ticket for the prompts of this round; nil before the first round.
    private var asking: (context: KeychainContext, ticket: PromptTicket)?
    private var isChoosing = false
    private var notes: [String] = []

    init(_ keychain: Keychain, _ call: KeychainCall) {
        self.keychain = keychain
        self.call = call
        negotiation = Negotiation(sensor: keychain.sensorKind)
    }

    /// Shows the prompts that `challenge` needs, and returns the negotiation when the vault has to decide again.
    ///
    /// Throws the denial if the prompts end the call.
    mutating func answer(_ challenge: Challenge) throws(KeychainError) -> Negotiation {
        try begin(challenge)
        while true {
            switch negotiation.step {
            case .decide: return negotiation
            case .tryOwnPassword: negotiation.record(ownPassword: try tryOwnPassword())
            case .askPermission: negotiation.record(permission: try askPermission())
            case .ask(let factor): negotiation.record(try prompt(for: factor))
            case .over(let rule): negotiation.fail(try denial(by: rule))
            case .answer(let decision): throw keychain.denied(decision.denial ?? Denial(.sheetFailed))
            }
        }
    }

    /// Continues with the challenge that the vault returned. If the device is locked, it withdraws, and the vault
    /// decides again.
    private mutating func begin(_ challenge: Challenge) throws(KeychainError) {
        negotiation = challenge.negotiation
        item = challenge.item
        notes = []
        if negotiation.passwordUse == .chosen { isChoosing = true }
        if call.context == nil { call.context = try keychain.makeContext() }
        let ticket = try onVault(vault.openPrompt())
        guard let context = call.context, let ticket else { return negotiation.withdraw() }
        asking = (context, ticket)
    }

    /// Forgets an application password that the user chose for this call.
    func end() {
        if isChoosing { try? call.context?.vaultContext.endChoosing() }
    }

    /// Records that `rule` ended the prompts, and returns the denial that ends the call.
    private func denial(by rule: Rule) throws(KeychainError) -> Denial {
        let caller = call.caller(.believed)
        try onVault(vault.recordPrompt(endedBy: rule, on: item, for: caller))
        return Denial(rule, under: try onVault(vault.conditions(for: caller)))
    }

    /// Asks the user whether the app may use the sensor. A prompt that is dismissed leaves the permission undecided.
    private func askPermission() throws(KeychainError) -> Negotiation.Permission {
        guard let (context, ticket) = asking else { return .ended(.sheetFailed) }
        let prompt = Prompt(PromptContent(.permission, reason: call.words.reason, app: call.requester.name))
        let response = keychain.answer(to: prompt, of: context, at: ticket)
        switch prompt.ending {
        case nil, .answered, .canceled, .fallback: break
        case .systemCanceled, .timedOut: return .ended(.sheetSystemCanceled)
        case .appCanceled: return .ended(.sheetAppCanceled)
        }
        let isGiven: Bool
        switch response {
        case .confirm: isGiven = prompt.ending == nil
        default: isGiven = false
        }
        let app = call.requester.app
        try keychain.carry(vault.apply(isGiven ? .biometryPermitted(app) : .biometryDenied(app)))
        return .answered
    }

    /// Tries the application's own password, which saves a prompt if it is right.
    private func tryOwnPassword() throws(KeychainError) -> Negotiation.OwnPassword {
        guard let (context, _) = asking else { return .none }
        guard let item else {
            let isAccepted = try onVault(vault.acceptOwnPasswordUnchecked(in: context.vaultContext))
            return Negotiation.OwnPassword(isRight: isAccepted ? true : nil)
        }
        let isRight = try onVault(
            vault.checkOwnPassword(
                on: reference(to: item), keepingWrong: call.stores, for: call.caller(.believed),
                in: context.vaultContext))
        return Negotiation.OwnPassword(isRight: isRight)
    }

    /// Shows one prompt for `factor` and checks the answer.
    private mutating func prompt(for factor: Factor) throws(KeychainError) -> Sheet.Result {
        guard let (context, ticket) = asking else { return .ended(.sheetFailed) }
        if factor == .passcode, let refusal = try keychain.refusalOfPasscodes {
            return .unavailable(refusal == .passcodeDisabled ? .passcodeDisabled : .passcodeDelayed)
        }
        let prompt = Prompt(try content(for: factor))
        notes = []
        // The prompt stays registered until its answer is checked, so that a lock can dismiss it at any moment in
        // between.
        return try keychain.prompts.showing(prompt, of: context) { () throws(KeychainError) in
            try answer(to: prompt, for: factor, context, ticket)
        }
    }

    private func content(for factor: Factor) throws(KeychainError) -> PromptContent {
        let words = call.words
        var kind = PromptContent.Kind(proving: factor)
        if kind == .applicationPassword, negotiation.passwordUse == .chosen { kind = .newApplicationPassword }
        let wayOut = negotiation.wayOut
        var content = PromptContent(
            kind, reason: words.reason, app: call.requester.name, offersFallback: wayOut == .offered)
        content.offersFallbackLater = wayOut == .afterMisses
        content.fallbackTitle = words.fallbackTitle
        content.cancelTitle = words.cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
        content.attempt = Int(negotiation.attempt)
        content.notes = notes
        content.sensor = keychain.sensorKind
        content.isSensorFake = keychain.sensor?.isFake == true && keychain.isReal
        if kind == .passcode { content.allowance = try keychain.passcodeAllowance }
        if kind == .biometry { content.enrolled = try keychain.enrolledNames }
        return content
    }

    private mutating func answer(
        to prompt: Prompt, for factor: Factor, _ context: KeychainContext, _ ticket: PromptTicket
    ) throws(KeychainError) -> Sheet.Result {
        let response = keychain.answer(to: prompt, of: context, at: ticket)
        if let ending = prompt.ending, let result = Sheet.Result(ending) { return result }
        switch consume response {
        case .cancel: return .ended(.sheetCanceled)
        case .fallback: return .fallback
        case .confirm:
            return factor == .companion ? try confirm(context, ticket) : .ended(.sheetFailed)
        case .touch(let shown):
            let isAsked = factor == .biometry && negotiation.acceptsMatch
            return isAsked ? try touch(showing: shown, prompt, context, ticket) : .ended(.sheetFailed)
        case .typed(let typed):
            switch factor {
            case .passcode: return try check(passcode: typed, context, ticket)
            case .applicationPassword: return try check(password: typed, context, ticket)
            case .biometry, .companion: return .ended(.sheetFailed)
            }
        }
    }

    // MARK: - Checking answers

    private func touch(
        showing shown: String?, _ prompt: Prompt, _ context: KeychainContext, _ ticket: PromptTicket
    ) throws(KeychainError) -> Sheet.Result {
        try keychain.touch(showing: shown, prompt, context, ticket)
    }

    private func confirm(_ context: KeychainContext, _ ticket: PromptTicket) throws(KeychainError) -> Sheet.Result {
        let effects = try keychain.carry(vault.record(.confirmedByCompanion, in: context.vaultContext, at: ticket))
        return effects.authenticated(.companion) ? .authenticated : .unavailable(.companionNotNear)
    }

    private mutating func check(
        passcode: borrowing SecureBytes, _ context: KeychainContext, _ ticket: PromptTicket
    ) throws(KeychainError) -> Sheet.Result {
        let attempted = try keychain.enter(passcode, in: context, at: ticket, for: call)
        notes = attempted.notes
        switch attempted.result {
        case .checked(let effects): return Sheet.Result(typing: effects, try keychain.device)
        case .over: return .ended(.sheetSystemCanceled)
        case .unavailable: return .unavailable(.sheetAuthenticatorUnavailable)
        case .notOne: return .wrong
        }
    }

    private func check(
        password: borrowing SecureBytes, _ context: KeychainContext, _ ticket: PromptTicket
    ) throws(KeychainError) -> Sheet.Result {
        let isRight: Bool?
        switch negotiation.passwordUse {
        case .unchecked:
            isRight = try onVault(
                vault.acceptUnchecked(password: password, in: context.vaultContext, at: ticket) ? true : nil)
        case .chosen:
            isRight = try onVault(context.vaultContext.choose(password: password, at: ticket) ? true : nil)
        case .opens:
            guard let item else { return .ended(.sheetFailed) }
            isRight = try onVault(
                vault.check(
                    password: password, on: reference(to: item), for: call.caller(.believed), in: context.vaultContext,
                    at: ticket))
            if isRight == true && call.keepsPassword { try context.setApplicationPassword(password) }
        }
        return isRight.map { $0 ? .authenticated : .wrong } ?? .ended(.sheetSystemCanceled)
    }

    /// Returns the reference that finds the item. No identifier finds a key outside the vault.
    private func reference(to item: ItemIdentifier) -> ItemReference {
        if case .sealed(let key) = call.item { .sealed(key) } else { .id(item) }
    }

    private var vault: Vault { keychain.vault }

    private func onVault<Result: ~Copyable>(
        _ body: @autoclosure () throws(VaultError) -> Result
    ) throws(KeychainError) -> Result {
        try keychain.onVault(try body())
    }
}

extension Sheet.Result {
    /// Creates the result of a prompt that ended without an answer; nil if the user answered it.
    init?(_ ending: Prompt.Ending) {
        switch ending {
        case .answered: return nil
        case .fallback: self = .fallback
        case .canceled: self = .ended(.sheetCanceled)
        case .appCanceled: self = .ended(.sheetAppCanceled)
        case .systemCanceled, .timedOut: self = .ended(.sheetSystemCanceled)
        }
    }
}
