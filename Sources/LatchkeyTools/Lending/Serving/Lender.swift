internal import AgentProtocol
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText
internal import Prompts
internal import SSHProtocol
internal import SodiumKit
internal import Synchronization

/// Lends one secret: it asks the agent for each use, over a connection that the loan ends with.
final class Lender: Sendable {
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
        /// The number of the last loan.
        var number: Int?
        /// The public half of a key that logins are lent with, as SSH has it.
        var key: [UInt8] = []
        /// Ends what is under way.
        var interrupt: (@Sendable () -> Void)?
    }

    /// Prepares a loan to a program with these words, or to none. Prompts and the log say `whereabouts`.
    init(
        _ service: LoanService, of borrower: String, to words: [String], _ whereabouts: String?, at place: AgentPlace,
        asking user: LendingUser?
    ) {
        (self.service, self.place, self.user) = (service, place, user)
        terms = LoanTerms(
            borrower: borrower, command: Terminal.line(words.joined(separator: " "), longest: 200),
            place: whereabouts, target: service.target.text, uses: service.lease.uses, minutes: service.lease.minutes,
            signs: service.scope?.text, form: service.release?.rawValue,
            policy: PolicyPreset.policy(named: service.policy))
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
            defer { (state.client, state.watch, state.mark, state.number) = (client, nil, reply.mark, reply.number) }
            state.key = Base64.bytes(reply.key) ?? []
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

    /// The public half of a key that logins are lent with, as SSH has it; empty for any other loan.
    var key: [UInt8] { state.withLock { $0.key } }

    /// Throws if the loan was ended, or if the vault is locked.
    func requireGoing() throws(AgentError) {
        if state.withLock({ $0.client }) != nil { return }
        try inTurn { (_) throws(AgentError) in }
    }

    /// Has a lock, and the end of the loan, call `interrupt`, which ends what is under way.
    func interrupting(by interrupt: @escaping @Sendable () -> Void) { state.withLock { $0.interrupt = interrupt } }

    /// Ends the loan.
    func end() {
        let (watch, client) = state.withLock { state in
            defer { (state.watch, state.interrupt) = (nil, nil) }
            return (state.watch, state.client)
        }
        watch?.end()
        client?.wire.end()
    }

    /// Cuts what is under way, because the agent has closed the connection: the vault is locked, or the loan was ended.
    private func noteHangup(of client: AgentClient) {
        let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.client === client else { return nil }
            state.client = nil
            return state.interrupt
        }
        interrupt?()
    }

    // MARK: - Uses

    /// Runs `body` with a connection for uses. No other use of this loan is asked for meanwhile.
    func inTurn<Value: ~Copyable>(
        _ body: (borrowing LoanLine) throws(AgentError) -> Value
    ) throws(AgentError) -> Value {
        try asking.withLock { _ throws(AgentError) in
            let client = try connected()
            return try body(LoanLine(client: client, user: user, id: state.withLock { $0.mark } ?? ""))
        }
    }

    /// Returns the list of all loans of the agent; an empty one if it does not answer.
    func listed() -> [LoanEntry] {
        guard let client = try? AgentClient.connect(to: place, app: terms.borrower) else { return [] }
        var entries: [LoanEntry] = []
        _ = try? client.ask(LoansCall(), of: nil) { entries.append($0) }
        client.wire.end()
        return entries
    }

    /// Returns the rest of the last approval, as a list of loans has it; nil if the next use asks.
    func left(in entries: [LoanEntry]) -> LoanEntry? {
        let number = state.withLock { $0.client == nil ? nil : $0.number }
        return entries.first { $0.number == number && $0.secondsLeft != nil }
    }

    /// Gives back a use of which nothing was sent.
    func giveBack(_ number: Int, on line: String) {
        asking.withLock { _ in
            guard let client = state.withLock({ $0.mark == line ? $0.client : nil }) else { return }
            _ = try? client.ask(GiveBackUseCall(number), of: nil)
        }
    }

    /// Returns the connection of the loan. After a lock it is a new one, with a lease of its own.
    private func connected() throws(AgentError) -> AgentClient {
        if let client = state.withLock({ $0.client }) { return client }
        let client = try AgentClient.connect(orStartAt: place, app: terms.borrower)
        _ = try begin(client, asking: user, unlocks: false)
        return client
    }
}

/// The connection of a loan, while it is asked for a use.
struct LoanLine {
    fileprivate let client: AgentClient
    fileprivate let user: LendingUser?
    /// The mark of the loan, which no other one has. The numbers of uses belong to it.
    let id: String

    /// Asks for a use. Uses that need no prompt do not wait for those of other services that do.
    func ask<Call: AgentCall>(_ call: Call) throws(AgentError) -> CallResult<Call.Reply> {
        let none: SecureBytes
        do { none = try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
        return try ask(call, sending: none)
    }

    /// Asks for a use of a key on a message.
    func ask<Call: AgentCall>(
        _ call: Call, sending message: borrowing SecureBytes
    ) throws(AgentError) -> CallResult<Call.Reply> {
        do throws(AgentError) { return try client.ask(call, sending: message, of: nil) } catch {
            guard error.kind == .noTerminal, let user else { throw error }
            return try user.inTurn { () throws(AgentError) in try client.ask(call, sending: message, of: user) }
        }
    }
}
