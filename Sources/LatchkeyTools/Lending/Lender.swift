internal import AgentProtocol
internal import Courier
internal import HTTPWire
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText
internal import Prompts
internal import SodiumKit
internal import Synchronization

/// Lends one service: it asks the agent for each use, over a connection that the loan ends with.
final class Lender: LoanKeeper {
    let service: LoanService
    private let terms: LoanTerms
    var borrower: String { terms.borrower }
    private let place: AgentPlace
    /// The user who answers prompts while the program runs; nil if nothing may be asked.
    private let user: LendingUser?
    private let state = Mutex(State())
    /// Held while the agent is asked. One approval may cover the uses that wait behind it.
    private let asking = Mutex(())

    private struct State: Sendable {
        var client: AgentClient?
        var watch: HangupWatch?
        /// The mark of the last loan, which the next one goes on with after a lock.
        var mark: String?
        /// The numbers of the uses that may still be given back, by their requests.
        var numbers: [LoanUse: [Int]] = [:]
        /// The numbers of uses that other requests may belong to, by their methods.
        var first: [String: Int] = [:]
        var echoes = 0
        var courier: Courier?
    }

    /// The number of answers with the secret in them after which a loan ends.
    private static let mostEchoes = 3

    /// Prepares a loan to a program with these words.
    init(
        _ service: LoanService, of borrower: String, to words: [String], at place: AgentPlace,
        asking user: LendingUser?
    ) {
        (self.service, self.place, self.user) = (service, place, user)
        terms = LoanTerms(
            borrower: borrower, command: Terminal.line(words.joined(separator: " "), longest: 200),
            server: service.server.text,
            uses: service.lease.uses, minutes: service.lease.minutes, signs: service.form.scope?.text)
    }

    /// Begins the loan. If the vault is locked, `user` unlocks it. Returns the times when the policy of the secret asks.
    func begin(asking user: (any DeviceUser)?) throws(AgentError) -> LoanAsking {
        try asking.withLock { _ throws(AgentError) in
            let client = try AgentClient.connect(orStartAt: place, app: terms.borrower)
            return try begin(client, asking: user, unlocks: true)
        }
    }

    private func begin(_ client: AgentClient, asking user: (any DeviceUser)?, unlocks: Bool) throws(AgentError)
        -> LoanAsking
    {
        var call = LendCall(service.item, terms)
        call.former = state.withLock { $0.mark }
        let reply = try client.ask(call, of: user, unlocks: unlocks).reply
        let former = state.withLock { state in
            defer { (state.client, state.watch, state.mark) = (client, nil, reply.mark) }
            (state.numbers, state.first) = ([:], [:])
            return state.watch
        }
        former?.end()
        let watch = client.wire.watchHangup { [weak self, weak client] in
            if let client { self?.noteHangup(of: client) }
        }
        guard watch.isWatching else {
            // A lock would cut nothing.
            state.withLock { $0.client = nil }
            throw AgentError(
                .agent, "no thread or file descriptor is left to watch for locks: end other programs, and try again")
        }
        state.withLock { $0.watch = watch }
        return reply.asks
    }

    /// Has a lock, and the end of the loan, cut what a courier does.
    func serve(_ courier: Courier) { state.withLock { $0.courier = courier } }

    /// Ends the loan.
    func end() {
        let (watch, client) = state.withLock { state in
            defer { (state.watch, state.courier) = (nil, nil) }
            return (state.watch, state.client)
        }
        watch?.end()
        client?.wire.end()
    }

    /// Cuts what is under way, because the agent has closed the connection: the vault is locked, or the loan was ended.
    private func noteHangup(of client: AgentClient) {
        let courier = state.withLock { state -> Courier? in
            guard state.client === client else { return nil }
            state.client = nil
            return state.courier
        }
        courier?.interrupt()
    }

    // MARK: - The keeper

    func credential(for use: LoanUse, of request: CheckedRequest, in bytes: RawSpan) throws(LoanRefusal)
        -> LentCredential
    {
        // Requests of git were compared with its rules already.
        guard service.git != nil || service.allows(use.method, use.path) else {
            throw LoanRefusal(
                .notAllowed,
                "the profile \(terms.borrower) does not allow \(use.method) \(use.path) at \(service.name), so nothing was sent"
            )
        }
        do {
            if service.form.scope != nil {
                return try sign(SignableRequest(use, request, in: bytes), for: use)
            }
            return try asking.withLock { _ in
                let client = try connected()
                let former = takeFormer(of: use)
                let call = UseLoanCall(method: use.method, path: use.path, refs: use.refs, former: former)
                var answer = try ask(call, client)
                guard let secret = answer.secret.take() else { throw AgentError(.agent, "the agent sent no secret") }
                let value = try service.form.value(of: secret)
                if answer.reply.number != former { note(answer.reply.number, of: use) }
                return LentCredential(value: value, secret: secret)
            }
        } catch let error as AgentError {
            throw LoanRefusal(
                Self.kind(of: error), "\(service.name): \(error.inCommandWords(for: service.item).message)")
        } catch let fault as SigningFault {
            throw LoanRefusal(.notAllowed, "\(service.name): \(fault)")
        } catch {
            throw LoanRefusal(.failed, "\(service.name): \(error)")
        }
    }

    /// Asks for a use. Uses that need no prompt do not wait for those of other services that do.
    private func ask<Call: AgentCall>(
        _ call: Call, _ client: AgentClient
    ) throws(AgentError) -> CallResult<Call.Reply> {
        do throws(AgentError) { return try client.ask(call, of: nil) } catch {
            guard error.kind == .noTerminal, let user else { throw error }
            return try user.inTurn { () throws(AgentError) in try client.ask(call, of: user) }
        }
    }

    /// Returns the number of the use that a request belongs to. After the last request of them, no other belongs to it.
    private func takeFormer(of use: LoanUse) -> Int? {
        state.withLock { state in
            switch use.part {
            case .alone, .first: nil
            case .following: state.first[use.method]
            case .last: state.first.removeValue(forKey: use.method)
            }
        }
    }

    /// Keeps the number of a use, so that it can be given back, and so that others can belong to it.
    private func note(_ number: Int, of use: LoanUse) {
        state.withLock { state in
            state.numbers[use, default: []].append(number)
            switch use.part {
            case .alone, .last: break
            case .first, .following: state.first[use.method] = number
            }
        }
    }

    /// Returns the fields with the signature of a request. The secret stays in the agent.
    private func sign(_ request: SignableRequest, for use: LoanUse) throws -> LentCredential {
        try asking.withLock { _ in
            let client = try connected()
            let call = SignLoanCall(
                method: request.method, path: request.path, query: request.query,
                fields: request.fields.map { [$0.name, $0.value] })
            var answer = try ask(call, client)
            let credential = try LentCredential(answer.reply, token: answer.secret.take(), of: request)
            note(answer.reply.number, of: use)
            return credential
        }
    }

    private static func kind(of error: AgentError) -> LoanRefusal.Kind {
        switch error.kind {
        case .denied: .notAllowed
        case .locked, .dismissed, .wrong, .noTerminal: .notGranted
        case .notFound, .exists, .unavailable, .damaged, .request, .vault, .agent: .failed
        }
    }

    /// Returns the connection of the loan. After a lock it is a new one, with a lease of its own.
    private func connected() throws(AgentError) -> AgentClient {
        if let client = state.withLock({ $0.client }) { return client }
        let client = try AgentClient.connect(orStartAt: place, app: terms.borrower)
        _ = try begin(client, asking: user, unlocks: false)
        return client
    }

    func sent(_ use: LoanUse, status: UInt16?, bytes: UInt64) { _ = takeNumber(of: use) }

    func notSent(_ use: LoanUse) {
        guard let number = takeNumber(of: use), let client = state.withLock({ $0.client }) else { return }
        asking.withLock { _ in _ = try? client.ask(GiveBackUseCall(number), of: nil) }
    }

    private func takeNumber(of use: LoanUse) -> Int? {
        state.withLock { state in
            guard var numbers = state.numbers[use], let number = numbers.popLast() else { return nil }
            state.numbers[use] = numbers.isEmpty ? nil : numbers
            return number
        }
    }

    func echoed(_ use: LoanUse) {
        let (echoes, courier) = state.withLock { state in
            state.echoes += 1
            return (state.echoes, state.courier)
        }
        Output.complain(
            "\(service.server.text) sent the secret of \(service.name) back, which was taken out of its answer")
        guard echoes >= Self.mostEchoes else { return }
        if echoes == Self.mostEchoes {
            Output.complain("that was answer \(echoes) with the secret in it, so \(service.name) is lent no more")
        }
        courier?.cut()
    }
}
