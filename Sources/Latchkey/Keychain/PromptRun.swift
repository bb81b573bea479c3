internal import AccessPolicy
internal import DeviceModel
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// The prompts of one negotiation: shows them, and has the answers checked.
struct PromptRun {
    var negotiation: Negotiation
    private(set) var call: KeychainCall
    private let keychain: Keychain
    /// The item that the challenge is about; nil if it is not stored.
    private var item: ItemIdentifier?
    /// The context that the proofs go into, and the ticket of the prompts of this round; nil before the first.
    private var asking: (context: KeychainContext, ticket: SheetTicket)?
    private var isChoosing = false
    private var notes: [String] = []

    init(_ keychain: Keychain, _ call: KeychainCall) {
        self.keychain = keychain
        self.call = call
        // A terminal has room for the way out from the beginning, and its user should not have to fail first.
        negotiation = Negotiation(
            sensor: keychain.sensorKind, hidesFallback: call.hidesFallback,
            isFallbackImmediate: keychain.isReal)
    }

    /// Goes on with the negotiation that the vault hands out. If the device is locked, it shows no prompt and decides again.
    mutating func begin(_ challenge: Challenge) throws(KeychainError) {
        negotiation = challenge.negotiation
        item = challenge.item
        notes = []
        if negotiation.passwordUse == .chosen { isChoosing = true }
        if call.context == nil { call.context = try keychain.makeContext() }
        let ticket = try onVault { (vault) throws(VaultError) in try vault.openSheet() }
        guard let context = call.context, let ticket else { return negotiation.withdraw() }
        asking = (context, ticket)
    }

    /// Forgets a password that was chosen for this call.
    func end() {
        if isChoosing { try? call.context?.proofs.endChoosing() }
    }

    /// Records that the prompts ended by `rule`, and returns the denial that the call ends with.
    func denial(by rule: Rule) throws(KeychainError) -> Denial {
        let caller = call.caller(.believed)
        let conditions = try onVault { (vault) throws(VaultError) in
            try vault.recordPrompt(endedBy: rule, on: item, for: caller)
            return try vault.conditions(for: caller)
        }
        return Denial(rule, under: conditions)
    }

    /// Asks whether the app may use the sensor. A prompt that is taken away leaves that open.
    func askPermission() throws(KeychainError) -> Negotiation.Permission {
        guard let (context, ticket) = asking else { return .ended(.sheetFailed) }
        let prompt = Prompt(Question(.permission, reason: call.words.reason, app: call.requester.name))
        let response = keychain.answer(to: prompt, of: context, at: ticket)
        switch prompt.ending {
        case nil, .answered, .cancelled, .fallback: break
        case .systemCancelled, .timedOut: return .ended(.sheetSystemCancelled)
        case .appCancelled: return .ended(.sheetAppCancelled)
        }
        let isGiven: Bool
        switch response {
        case .confirm: isGiven = prompt.ending == nil
        default: isGiven = false
        }
        let app = call.requester.app
        try keychain.carry { (vault) throws(VaultError) in
            try vault.apply(isGiven ? .biometryPermitted(app) : .biometryDenied(app))
        }
        return .settled
    }

    /// Tries the application's own password, so that the user need not be asked for one.
    func tryOwnPassword() throws(KeychainError) -> Negotiation.OwnPassword {
        guard let (context, _) = asking else { return .none }
        let isRight: Bool? = try onVault { (vault) throws(VaultError) in
            guard let item else { return try vault.takeOwnPasswordUnchecked(in: context.proofs) ? true : nil }
            return try vault.judgeOwnPassword(
                on: item, keepingWrong: call.stores, for: call.caller(.believed), in: context.proofs)
        }
        return Negotiation.OwnPassword(isRight: isRight)
    }

    /// Shows one prompt for `factor`, and has the answer checked.
    mutating func prompt(for factor: Factor) throws(KeychainError) -> Sheet.Result {
        guard let (context, ticket) = asking else { return .ended(.sheetFailed) }
        let prompt = Prompt(try question(for: factor))
        notes = []
        // Until the answer is checked, a lock can take the prompt away, without a gap.
        return try keychain.prompts.showing(prompt, of: context) { () throws(KeychainError) in
            try answer(to: prompt, for: factor, context, ticket)
        }
    }

    private func question(for factor: Factor) throws(KeychainError) -> Question {
        let words = call.words
        var wish = Question.Wish(proving: factor)
        if wish == .applicationPassword, negotiation.passwordUse == .chosen { wish = .newApplicationPassword }
        let wayOut = negotiation.wayOut
        var question = Question(
            wish, reason: words.reason, app: call.requester.name, offersFallback: wayOut == .offered)
        question.offersFallbackLater = wayOut == .afterMisses
        question.fallbackTitle = words.fallbackTitle
        question.cancelTitle = words.cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
        question.attempt = Int(negotiation.attempt)
        question.notes = notes
        question.sensor = keychain.sensorKind
        question.isSensorFake = keychain.sensor?.isFake == true && keychain.isReal
        if wish == .biometry { question.enrolled = try keychain.enrolledNames }
        return question
    }

    private mutating func answer(
        to prompt: Prompt, for factor: Factor, _ context: KeychainContext, _ ticket: SheetTicket
    ) throws(KeychainError) -> Sheet.Result {
        let response = keychain.answer(to: prompt, of: context, at: ticket)
        if let ending = prompt.ending, let result = Sheet.Result(ending) { return result }
        switch consume response {
        case .cancel: return .ended(.sheetCancelled)
        case .fallback: return .fallback
        case .confirm:
            return factor == .companion ? try confirm(context, ticket) : .ended(.sheetFailed)
        case .touch(let shown):
            let isAsked = factor == .biometry && negotiation.takesMatch
            return isAsked ? try touch(showing: shown, prompt, context, ticket) : .ended(.sheetFailed)
        case .typed(let typed):
            switch factor {
            case .passcode: return try judge(passcode: typed, context, ticket)
            case .applicationPassword: return try judge(password: typed, context, ticket)
            case .biometry, .companion: return .ended(.sheetFailed)
            }
        }
    }

    // MARK: - Checking answers

    private func touch(
        showing shown: String?, _ prompt: Prompt, _ context: KeychainContext, _ ticket: SheetTicket
    ) throws(KeychainError) -> Sheet.Result {
        let match: SensorMatch
        do throws(SensorFailure) {
            match = try keychain.match(showing: shown, prompt, of: context)
        } catch .interrupted {
            return prompt.ending.flatMap { Sheet.Result($0) } ?? .ended(.sheetSystemCancelled)
        } catch {
            keychain.sensorFailure = error
            return .unavailable(.biometryNoHardware)
        }
        // A match counts for nothing if the prompt was over before it. A miss counts all the same.
        let over = prompt.ending.flatMap { Sheet.Result($0) }
        if case .matched = match, let over { return over }
        guard let effects = try keychain.take(match, in: context, at: ticket) else {
            return .unavailable(.biometryNoHardware)
        }
        if effects.refusal == .promptOver { return .ended(.sheetSystemCancelled) }
        if let over { return over }
        return Sheet.Result(showing: effects, try keychain.device)
    }

    private func confirm(_ context: KeychainContext, _ ticket: SheetTicket) throws(KeychainError) -> Sheet.Result {
        let effects = try keychain.carry { (vault) throws(VaultError) in
            try vault.take(.confirmedByCompanion, in: context.proofs, at: ticket)
        }
        return effects.proved(.companion) ? .proved : .unavailable(.companionNotNear)
    }

    private mutating func judge(
        passcode: borrowing SecureBytes, _ context: KeychainContext, _ ticket: SheetTicket
    ) throws(KeychainError) -> Sheet.Result {
        let attempted = try keychain.enter(passcode, in: context, at: ticket, for: call)
        notes = attempted.notes
        switch attempted.result {
        case .judged(let effects): return Sheet.Result(typing: effects, try keychain.device)
        case .over: return .ended(.sheetSystemCancelled)
        case .unavailable: return .unavailable(.sheetJudgeUnavailable)
        case .notOne: return .wrong
        }
    }

    private func judge(
        password: borrowing SecureBytes, _ context: KeychainContext, _ ticket: SheetTicket
    ) throws(KeychainError) -> Sheet.Result {
        let isRight: Bool?
        switch negotiation.passwordUse {
        case .unchecked:
            isRight = try onVault { (vault) throws(VaultError) in
                try vault.takeUnchecked(password: password, in: context.proofs, at: ticket) ? true : nil
            }
        case .chosen:
            isRight = try onVault { (_) throws(VaultError) in
                try context.proofs.choose(password: password, at: ticket) ? true : nil
            }
        case .opens:
            guard let item else { return .ended(.sheetFailed) }
            isRight = try onVault { (vault) throws(VaultError) in
                try vault.judge(
                    password: password, on: item, for: call.caller(.believed), in: context.proofs, at: ticket)
            }
            if isRight == true && call.keepsPassword { try context.setApplicationPassword(password) }
        }
        return isRight.map { $0 ? .proved : .wrong } ?? .ended(.sheetSystemCancelled)
    }

    private func onVault<Result: ~Copyable>(
        _ body: (Vault) throws(VaultError) -> Result
    ) throws(KeychainError) -> Result {
        try keychain.onVault(body)
    }
}

extension Sheet.Result {
    /// Creates the result of a prompt that ended without an answer; nil if it was answered.
    fileprivate init?(_ ending: Prompt.Ending) {
        switch ending {
        case .answered: return nil
        case .fallback: self = .fallback
        case .cancelled: self = .ended(.sheetCancelled)
        case .appCancelled: self = .ended(.sheetAppCancelled)
        case .systemCancelled, .timedOut: self = .ended(.sheetSystemCancelled)
        }
    }
}
