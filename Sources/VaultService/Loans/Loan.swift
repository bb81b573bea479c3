internal import AccessPolicy
internal import AgentProtocol
internal import LoanRules
internal import SecretVault
internal import Synchronization

/// A secret that is lent over one connection, and the lease that its last approval began.
final class Loan: Sendable {
    let number: Int
    /// The name of the secret.
    let item: String
    let terms: LoanTerms
    let target: LoanTarget
    /// The service and region of the signatures that it gives out; nil if it gives out the secret.
    let scope: SigningScope?
    /// The form in which it gives out the secret itself; nil for every other purpose.
    let form: ReleaseForm?
    /// The time of its beginning, in seconds since 1970.
    let began: Int64
    private let state: Mutex<State>

    private struct State {
        var lease: Lease
        /// The context in which its lender approved the lease.
        var held: HeldContext?
        /// The last uses, by their numbers.
        var uses: [Int: Use] = [:]
        var count = 0
        var isOver = false
        weak var visitor: (any Visitor)?

        /// Returns a use of the last minute.
        func use(_ number: Int, at now: Int64) -> Use? {
            guard !isOver, let use = uses[number], now < use.since + together else { return nil }
            return use
        }

        /// Counts a use, and returns its number.
        mutating func note(_ ticket: Lease.Ticket?, at now: Int64) -> Int {
            count += 1
            uses[count] = Use(ticket: ticket, since: now)
            uses[count - mostKnown] = nil
            return count
        }
    }

    /// A use, and its place in a lease if it has one.
    private struct Use {
        let ticket: Lease.Ticket?
        let since: Int64
    }

    /// The most uses that are known. An older one is not given back.
    private static let mostKnown = 64
    /// The milliseconds in which requests that belong together have to begin.
    private static let together: Int64 = 60_000

    init(_ number: Int, _ call: LendCall, for target: LoanTarget, to visitor: any Visitor, at seconds: Int64) {
        self.target = target
        (self.number, item, terms, began) = (number, call.name, call.terms, seconds)
        scope = call.terms.signs.flatMap { SigningScope($0) }
        form = target == .value ? call.terms.form.flatMap { ReleaseForm(rawValue: $0) } : nil
        var state = State(lease: Lease(LeaseTerms(uses: call.terms.uses, minutes: call.terms.minutes)))
        state.visitor = visitor
        self.state = Mutex(state)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Counts a use that the last approval covers. Returns its number, and the context of the approval; nil if there is none.
    func take(at now: Int64, locks: Int) -> (number: Int, held: HeldContext)? {
        state.withLock { (state) -> (Int, HeldContext)? in
            guard !state.isOver, let held = state.held, let ticket = state.lease.take(at: now, locks: locks) else {
                state.held = nil
                return nil
            }
            return (state.note(ticket, at: now), held)
        }
    }

    /// Returns the context for a request that belongs to a use of the last minute; nil if no approval covers that any more.
    func goOn(with number: Int, at now: Int64, locks: Int) -> HeldContext? {
        state.withLock { (state) -> HeldContext? in
            guard let ticket = state.use(number, at: now)?.ticket, state.lease.covers(ticket, at: now, locks: locks)
            else { return nil }
            return state.held
        }
    }

    /// Returns true if a use was in the last minute, so that requests may belong to it.
    func isOpen(_ number: Int, at now: Int64) -> Bool { state.withLock { $0.use(number, at: now) != nil } }

    /// Counts a use that its lender has just approved. If the policy of the secret allows that, the approval counts for more.
    /// Returns the number of the use; nil if the loan has ended meanwhile.
    func approve(_ held: HeldContext, begins: Bool, at now: Int64, locks: Int) -> Int? {
        state.withLock { (state) -> Int? in
            guard !state.isOver else { return nil }
            guard begins else { return state.note(nil, at: now) }
            state.held = held
            return state.note(state.lease.begin(at: now, locks: locks), at: now)
        }
    }

    /// Gives back a use of which nothing was sent.
    func giveBack(_ number: Int) {
        state.withLock { state in
            if let ticket = state.uses.removeValue(forKey: number)?.ticket { state.lease.giveBack(ticket) }
        }
    }

    /// Returns the result of `body`. Gives the use back if that throws, because nothing was made for it.
    func givingBack<Value: ~Copyable>(
        _ number: Int?, _ body: () throws(AgentError) -> Value
    ) throws(AgentError) -> Value {
        do throws(AgentError) { return try body() } catch {
            if let number { giveBack(number) }
            throw error
        }
    }

    /// Returns the end of its borrower's record in the audit log, for a use.
    func mark(of call: UseLoanCall) -> String {
        // An approval ahead releases nothing.
        if let form, !call.isAhead { return Peer.releasedMark(to: terms.borrower, as: form.rawValue) }
        return Peer.lentMark(
            to: terms.borrower, at: terms.place, for: target.server.map { call.target(at: $0.text) } ?? target.text)
    }

    /// Ends the lease: the next use asks.
    func endLease() {
        state.withLock { state in
            state.lease.end()
            state.held = nil
        }
    }

    /// Ends the lease, and cuts what is under way. The borrower may ask for a use again.
    func cut() {
        endLease()
        state.withLock { $0.visitor }?.cut()
    }

    /// Ends the loan.
    func end() {
        state.withLock { $0.isOver = true }
        cut()
    }

    /// The loan in a list.
    func entry(at now: Int64, locks: Int) -> LoanEntry {
        var entry = LoanEntry()
        (entry.number, entry.name, entry.terms, entry.began) = (number, item, terms, began)
        state.withLock { state in
            entry.count = state.count
            if let left = state.lease.left(at: now, locks: locks) {
                (entry.usesLeft, entry.secondsLeft) = (left.uses, (left.milliseconds + 999) / 1000)
            }
        }
        return entry
    }
}
