internal import AccessPolicy
internal import DeviceModel
internal import SecretVault
internal import SodiumKit
internal import UserPresence

/// One sheet, from when it is shown until it is met or over: it asks, lets the answers be judged, and goes where the model's
/// ``Sheet`` says.
struct SheetRun {
    private let keychain: Keychain
    private let challenge: Challenge
    private let errand: Errand
    private let context: KeychainContext
    private let ticket: SheetTicket
    private let sensor: SensorKind
    private var sheet: Sheet
    private var shown: Factor?
    private var attempt = 1
    private var notes: [String] = []

    init(
        _ keychain: Keychain, _ challenge: Challenge, _ errand: Errand, _ context: KeychainContext,
        _ ticket: SheetTicket
    ) throws(KeychainError) {
        self.keychain = keychain
        self.challenge = challenge
        self.errand = errand
        self.context = context
        self.ticket = ticket
        sensor = try keychain.device.settings.sensor
        let isHidden = errand.words.fallbackTitle?.isEmpty == true
        // A terminal has room for the way out from the beginning, and nobody there should have to fail first.
        sheet = Sheet(
            challenge.ways, sensor: sensor, fallback: Sheet.Fallback(proving: errand.policy, isHidden: isHidden),
            isFallbackImmediate: keychain.isReal)
    }

    /// Shows it. The rule by which it was over without a proof; nil when it is met.
    consuming func run() throws(KeychainError) -> Rule? {
        while true {
            switch sheet.step {
            case .met: return nil
            case .over(let rule): return rule
            case .ask(let factor):
                if factor == .applicationPassword, try ownPasswordOpens() {
                    sheet.take(.proved)
                    continue
                }
                attempt = factor == shown ? attempt + 1 : 1
                shown = factor
                sheet.take(try prove(factor))
            }
        }
    }

    private func question(_ wish: Question.Wish) throws(KeychainError) -> Question {
        let words = errand.words
        var question = Question(
            wish, reason: words.reason, app: errand.requester.name, offersFallback: sheet.offersFallback)
        question.offersFallbackLater = sheet.wayOut == .afterMisses
        question.fallbackTitle = words.fallbackTitle
        question.cancelTitle = words.cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
        question.attempt = attempt
        question.notes = notes
        question.sensor = sensor
        question.isSensorFake = keychain.sensor?.isFake == true && keychain.isReal
        if wish == .biometry { question.enrolled = try keychain.enrolledNames }
        return question
    }

    private mutating func prove(_ factor: Factor) throws(KeychainError) -> Sheet.Result {
        var wish = Question.Wish(proving: factor)
        if wish == .applicationPassword, isChosen { wish = .newApplicationPassword }
        let prompt = Prompt(try question(wish))
        notes = []
        // It can be taken away until what was answered is judged, without a gap.
        return try keychain.prompts.showing(prompt, of: errand.context) { () throws(KeychainError) in
            let result = try prove(factor, at: prompt)
            // Whoever takes a way out that is not there would be asked for ever.
            return result == .fallback && !sheet.offersFallback ? .ended(.sheetCancelled) : result
        }
    }

    private mutating func prove(_ factor: Factor, at prompt: Prompt) throws(KeychainError) -> Sheet.Result {
        let response = keychain.answer(to: prompt, of: errand.context, at: ticket)
        if let ending = prompt.ending, let result = Sheet.Result(ending) { return result }
        switch consume response {
        case .cancel: return .ended(.sheetCancelled)
        case .fallback: return .fallback
        case .confirm:
            return factor == .companion ? try confirm() : .ended(.sheetFailed)
        case .touch(let shown):
            let isAsked = factor == .biometry && sheet.takesMatch
            return isAsked ? try touch(showing: shown, prompt) : .ended(.sheetFailed)
        case .typed(let typed):
            switch factor {
            case .passcode: return try judge(passcode: typed)
            case .applicationPassword: return try judge(password: typed)
            case .biometry, .companion: return .ended(.sheetFailed)
            }
        }
    }

    // MARK: - The judges

    private func touch(showing shown: String?, _ prompt: Prompt) throws(KeychainError) -> Sheet.Result {
        let match: SensorMatch
        do throws(SensorFailure) {
            match = try keychain.match(showing: shown, prompt, of: errand.context)
        } catch .interrupted {
            return prompt.ending.flatMap { Sheet.Result($0) } ?? .ended(.sheetSystemCancelled)
        } catch {
            keychain.sensorFailure = error
            return .unavailable(.biometryNoHardware)
        }
        // A match counts for nothing where the prompt was over before it; a miss counts all the same.
        let over = prompt.ending.flatMap { Sheet.Result($0) }
        if case .matched = match, let over { return over }
        guard let effects = try keychain.take(match, in: context, at: ticket) else {
            return .unavailable(.biometryNoHardware)
        }
        if effects.refusal == .promptOver { return .ended(.sheetSystemCancelled) }
        if let over { return over }
        return Sheet.Result(showing: effects, try keychain.device)
    }

    private func confirm() throws(KeychainError) -> Sheet.Result {
        let effects = try keychain.carry { (vault) throws(VaultError) in
            try vault.take(.confirmedByCompanion, in: context.proofs, at: ticket)
        }
        return effects.proved(.companion) ? .proved : .unavailable(.companionNotNear)
    }

    private mutating func judge(passcode: borrowing SecureBytes) throws(KeychainError) -> Sheet.Result {
        let attempted = try keychain.enter(passcode, in: context, at: ticket, askingAs: errand)
        notes = attempted.notes
        switch attempted.result {
        case .judged(let effects): return Sheet.Result(typing: effects, try keychain.device)
        case .over: return .ended(.sheetSystemCancelled)
        case .unavailable: return .unavailable(.sheetJudgeUnavailable)
        case .notOne: return .wrong
        }
    }

    /// Whether a password is chosen, for something that is not stored yet.
    private var isChosen: Bool {
        switch errand.password {
        case .opens: challenge.item == nil
        case .isChosen: true
        case .isUnchecked: false
        }
    }

    private func judge(password: borrowing SecureBytes) throws(KeychainError) -> Sheet.Result {
        if case .isUnchecked = errand.password {
            let isTaken = try onVault { (vault) throws(VaultError) in
                try vault.takeUnchecked(password: password, in: context.proofs, at: ticket)
            }
            return isTaken ? .proved : .ended(.sheetSystemCancelled)
        }
        guard !isChosen, let item = challenge.item else {
            let isTaken = try onVault { (_) throws(VaultError) in
                try context.proofs.choose(password: password, at: ticket)
            }
            return isTaken ? .proved : .ended(.sheetSystemCancelled)
        }
        let isRight = try onVault { (vault) throws(VaultError) in
            try vault.judge(
                password: password, on: item, for: errand.caller(.believed), in: context.proofs, at: ticket)
        }
        guard let isRight else { return .ended(.sheetSystemCancelled) }
        if isRight && errand.keepsPassword { try context.setApplicationPassword(password) }
        return isRight ? .proved : .wrong
    }

    /// The application's own password is tried before anybody is asked for one.
    private func ownPasswordOpens() throws(KeychainError) -> Bool {
        if isChosen { return false }
        return try onVault { (vault) throws(VaultError) in
            guard let item = challenge.item else { return try vault.takeOwnPasswordUnchecked(in: context.proofs) }
            return try vault.judgeOwnPassword(
                on: item, keepingWrong: errand.stores, for: errand.caller(.believed), in: context.proofs) == true
        }
    }

    private func onVault<Result: ~Copyable>(
        _ body: (Vault) throws(VaultError) -> Result
    ) throws(KeychainError) -> Result {
        try keychain.onVault(body)
    }
}

extension Sheet.Result {
    /// What the end of a prompt without an answer is to the sheet; nil where it was answered.
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
