internal import AccessPolicy
internal import AgentProtocol
internal import HTTPWire
internal import Latchkey
internal import LoanRules
internal import PlainText
internal import Prompts
internal import SecretVault
internal import SodiumKit

// Uses of a secret that is lent over the connection of a visit. Kept authentications never count for a loan, and those of a loan for
// nothing else.

extension Visit {
    func stored(_ name: String) throws(AgentError) -> StoredItem {
        try onKeychain { (keychain) throws(KeychainError) in try keychain.lookUp(item(name), by: requester) }
    }

    /// Returns the secret, or the key, that a purpose is for.
    func lent(_ name: String, for target: LoanTarget) throws(AgentError) -> StoredItem {
        target.isOfKey ? try privateKey(name) : try stored(name)
    }

    /// Throws if a secret may not be lent for a purpose.
    func requireLending(_ item: StoredItem, named name: String, for target: String) throws(AgentError) {
        guard !LendingTargets(of: item).all.contains(target) else { return }
        throw AgentError(
            .denied,
            "\(name) may not be lent for \(target): run `latchkey lend allow \(name) \(target)` if you want that")
    }

    /// Throws unless an item has the policy that its lender expects.
    func requirePolicy(_ item: StoredItem, named name: String, _ expected: ItemPolicy?) throws(AgentError) {
        let found = ItemPolicy(item.description)
        guard let expected, found != expected else { return }
        throw AgentError(
            .denied,
            "the profile expects the policy \(expected.title) of \(name), which has the policy \(found.title): see `latchkey show`"
        )
    }

    /// Returns the times when a loan of an item asks.
    func asking(_ item: StoredItem) -> LoanAsking {
        let policy = ItemPolicy(item.description)
        guard policy.isProtected else { return .never }
        return policy.isReused && service.kept.reuse.sinceUse > .zero ? .eachLease : .eachUse
    }

    /// Counts one use of a loan, and reads this part of its secret for it. If no approval covers the use, its lender is asked.
    func use(
        _ loan: Loan, for call: UseLoanCall, _ asked: AskedRequest, reading part: SecretPart
    ) throws(AgentError) -> TakenUse<SecureBytes?> {
        let keychain = service.keychain
        return try use(loan, for: call, asked) { (item, requester, context, interaction) throws(KeychainError) in
            try keychain.read(
                part, of: .id(item.id), keeping: .none, by: requester, in: context, interaction: interaction)
        }
    }

    /// Counts one use of a loan, and does `body` with its item. If no approval covers the use, its lender is asked.
    func use<Value: ~Copyable>(
        _ loan: Loan, for call: UseLoanCall, _ asked: AskedRequest,
        _ body: (StoredItem, Requester, KeychainContext, Interaction) throws(KeychainError) -> Value
    ) throws(AgentError) -> TakenUse<Value> {
        if loan.isOver { throw .loanIsOver }
        let locks = service.kept.locks
        let item = try lent(loan.item, for: loan.target)
        try requireLending(item, named: loan.item, for: loan.target.text)
        try requirePolicy(item, named: loan.item, loan.terms.policy)
        var requester = requester
        let mark = loan.mark(of: call)
        // Uses of one target are counted in one record, and other targets have their own.
        requester.name += mark
        requester.program += mark
        // An approval of before covers uses of this requester.
        var covered = requester
        covered.isReusing = true
        if let former = call.former, let held = loan.goOn(with: former, at: service.now(), locks: locks),
            let value = try? body(item, covered, held.context, .fail)
        {
            return TakenUse(number: former, value: value)
        }
        if let (number, held) = loan.take(at: service.now(), locks: locks) {
            if let value = try? body(item, covered, held.context, .fail) {
                return TakenUse(number: number, value: value)
            }
            // The fingers, the policy or the lock state have changed since the approval.
            loan.giveBack(number)
            loan.endLease()
        }
        let asking = asking(item)
        let held = try makeContext(call, loan)
        guard asking != .never else {
            let value = try onKeychain { (_) throws(KeychainError) in
                try body(item, requester, held.context, .fail)
            }
            let now = service.now()
            if let former = call.former, loan.isOpen(former, at: now) { return try take(value, former) }
            return try take(value, loan.approve(held, begins: false, at: now, locks: locks))
        }
        let value = try whileAsking(loan, asked) { () throws(AgentError) in
            try onKeychain { (_) throws(KeychainError) in
                try body(item, requester, held.context, asked.mayAsk ? .allowed : .fail)
            }
        }
        let number = loan.approve(held, begins: asking == .eachLease, at: service.now(), locks: locks)
        return try take(value, number)
    }

    private func take<Value: ~Copyable>(
        _ value: consuming Value, _ number: Int?
    ) throws(AgentError) -> TakenUse<Value> {
        guard let number else { throw .loanIsOver }
        return TakenUse(number: number, value: value)
    }

    private func makeContext(_ call: UseLoanCall, _ loan: Loan) throws(AgentError) -> HeldContext {
        let held = HeldContext(try onKeychain { (keychain) throws(KeychainError) in try keychain.makeContext() })
        var words = held.context.words
        words.reason =
            loan.target.deed
            ?? call.words(at: loan.target.server.map { String(decoding: $0.authority, as: UTF8.self) } ?? "")
        held.context.words = words
        return held
    }

    /// Runs `body`, which may prompt, unless too many prompts wait or the lender has just dismissed one of this borrower.
    private func whileAsking<Value: ~Copyable>(
        _ loan: Loan, _ asked: AskedRequest, _ body: () throws(AgentError) -> Value
    ) throws(AgentError) -> Value {
        let limits = service.loans.limits
        let names = [loan.terms.borrower]
        if limits.isSilent(names) {
            throw AgentError(
                .dismissed, "a prompt for \(loan.terms.borrower) was not approved: it may ask again after a minute")
        }
        if !asked.mayAsk { return try body() }
        guard limits.begin(names, atMost: 1) else {
            throw AgentError(
                .noTerminal,
                "a prompt for \(loan.terms.borrower) waits, or \(Loans.mostPrompts) for other loans: answer those first"
            )
        }
        defer { limits.end(names) }
        let before = promptCount
        do { return try body() } catch {
            // A user who leaves a prompt alone, or gives wrong answers, wants no other one at once either.
            if promptCount != before || error.kind == .dismissed { limits.noteDismissal(names) }
            throw error
        }
    }

    /// Returns the prompt for a use of a loan, with what its lender has to know.
    func complete(_ content: PromptContent, for call: UseLoanCall, of loan: Loan) -> PromptContent {
        var content = content
        content.secret = loan.item
        let item = try? lent(loan.item, for: loan.target)
        let isLease = item.map { asking($0) } == .eachLease
        content.reach = .loan(uses: isLease ? loan.terms.uses : 1, minutes: loan.terms.minutes)
        // The path comes last. However long it is, it hides nothing.
        content.notes.insert(
            contentsOf: [
                loan.target.server.map { "Server: \(Terminal.line($0.text))" } ?? "Purpose: \(loan.target.words)",
                loan.terms.words,
            ] + (call.program.map { ["Program: \(Terminal.line($0, longest: 60)), as it calls itself"] } ?? [])
                + (loan.target.server == nil ? [] : ["Request: \(Terminal.line(call.target(at: ""), longest: 240))"]),
            at: 0)
        if let claim = call.claim, !claim.isEmpty {
            // Below our own words, so that it passes for none of them.
            content.notes.append("It says: \"\(Terminal.line(claim, longest: 120))\" (not checked)")
        }
        if let form = loan.form {
            content.notes.insert("This is a RELEASE: it leaves the vault, as \(form.rawValue)", at: 0)
        }
        if let message = lentMessage { content.notes.insert(message, at: 0) }
        if let scope = loan.scope {
            content.notes.insert(
                "It gets a signature for \(scope.service) in \(scope.region), and not the secret", at: 1)
        }
        return content
    }
}

extension LoanTerms {
    /// The borrower and its place, in a line of a prompt.
    fileprivate var words: String {
        let place = place.map { ", \(Terminal.line($0, longest: 160))" } ?? ""
        let command = command.isEmpty ? "" : ", which runs: \(Terminal.line(command, longest: 120))"
        return "Lent to \(Terminal.name(borrower))\(place)\(command)"
    }
}

extension AgentError {
    static let loanIsOver = AgentError(.denied, "this loan has ended: begin another one with `latchkey lend`")
}
