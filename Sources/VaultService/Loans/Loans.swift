internal import AgentProtocol
internal import Glibc
internal import Synchronization

/// The loans of now, and the limits on prompts for them.
final class Loans: Sendable {
    private struct State {
        var all: [Loan] = []
        var last = 0
        /// The numbers of the loans that were ended by hand.
        var ended: Set<Int> = []
    }

    private let state = Mutex(State())
    /// The limits on prompts, by the borrower.
    let limits: AskingLimits<String>

    /// The most loans at a time.
    private static let most = 256
    /// The number of loans for which it is known that they were ended.
    private static let mostEnded = 100_000
    /// The most prompts that wait at a time.
    static let mostPrompts = 4

    init(now: @escaping @Sendable () -> Int64) { limits = AskingLimits(mostInAll: Self.mostPrompts, now: now) }

    /// Begins a loan.
    func begin(_ call: LendCall, for visitor: any Visitor) throws(AgentError) -> Loan {
        try state.withLock { (state) throws(AgentError) in
            if let former = call.former, state.ended.contains(former) { throw .loanIsOver }
            guard state.all.count < Self.most else {
                throw AgentError(.agent, "\(Self.most) secrets are lent already: end some with `latchkey lend end`")
            }
            state.last += 1
            let loan = Loan(state.last, call, for: visitor, at: Int64(time(nil)))
            state.all.append(loan)
            return loan
        }
    }

    /// Notes that the connection of a loan is over.
    func forget(_ loan: Loan) { state.withLock { $0.all.removeAll { $0 === loan } } }

    /// The loans, in the order in which they began.
    var all: [Loan] { state.withLock { $0.all } }

    /// Ends a loan, or all of them. Returns how many ended.
    func end(_ number: Int?) -> Int {
        let ended = all.filter { number == nil || $0.number == number }
        state.withLock { state in
            // Loans that go on have no higher number, so a few thousand are more than enough.
            state.ended = state.ended.filter { $0 > state.last - Self.mostEnded }.union(ended.map(\.number))
        }
        for loan in ended {
            loan.end()
            forget(loan)
        }
        return ended.count
    }

    /// Ends all leases and cuts what is under way, because the vault is locked. It waits for nothing.
    func noteLock() {
        for loan in all { loan.cut() }
    }
}
