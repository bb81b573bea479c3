internal import AgentProtocol
internal import Glibc
internal import LoanRules
internal import Synchronization

/// The loans of now, and the limits on prompts for them.
final class Loans: Sendable {
    private struct State {
        var all: [Loan] = []
        var last = 0
        /// The numbers of the loans that were ended by hand.
        var ended: Set<Int> = []
        /// The number of the last loan at the time when all were ended by hand.
        var allEnded = 0
        /// The numbers of the loans that a lock has cut, and that have not gone on since.
        var cut: Set<Int> = []
    }

    private let state = Mutex(State())
    /// A random text. A loan of another process of the agent does not go on, because this one may not know that it was ended.
    private let life = String(UInt64.random(in: .min ... .max), radix: 16)
    /// The limits on prompts, by the borrower.
    let limits: AskingLimits<String>

    /// The most loans at a time.
    private static let most = 256
    /// The number of loans for which it is known that they were ended.
    private static let mostEnded = 100_000
    /// The most prompts that wait at a time.
    static let mostPrompts = 4

    init(now: @escaping @Sendable () -> Int64) { limits = AskingLimits(mostInAll: Self.mostPrompts, now: now) }

    /// The text by which another connection goes on with a loan after a lock.
    func mark(of loan: Loan) -> String { "\(life)-\(loan.number)" }

    /// Throws if a loan does not go on, because it was ended, or is none of this agent.
    func requireGoing(_ mark: String) throws(AgentError) {
        let number = number(mark)
        try state.withLock { (state) throws(AgentError) in try Self.requireGoing(number, state) }
    }

    private static func requireGoing(_ number: Int?, _ state: borrowing State) throws(AgentError) {
        guard let number, number > state.allEnded, number <= state.last, !state.ended.contains(number) else {
            throw .loanIsOver
        }
    }

    /// The number in a mark; nil for one of another agent.
    private func number(_ mark: String) -> Int? {
        mark.hasPrefix("\(life)-") ? Int(mark.dropFirst(life.utf8.count + 1)) : nil
    }

    /// Begins a loan.
    func begin(_ call: LendCall, for target: LoanTarget, to visitor: any Visitor) throws(AgentError) -> Loan {
        try state.withLock { (state) throws(AgentError) in
            let former = call.former.map { number($0) }
            if let former { try Self.requireGoing(former, state) }
            guard state.all.count < Self.most else {
                throw AgentError(.agent, "\(Self.most) secrets are lent already: end some with `latchkey lend end`")
            }
            state.last += 1
            let loan = Loan(state.last, call, for: target, to: visitor, at: Int64(time(nil)))
            state.all.append(loan)
            if let former, let former { state.cut.remove(former) }
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
            if number == nil { state.allEnded = state.last }
        }
        for loan in ended {
            loan.end()
            forget(loan)
        }
        return ended.count + (number.map { endCut($0) } ?? 0)
    }

    /// Ends a loan that a lock has cut. Returns how many ended.
    private func endCut(_ number: Int) -> Int {
        state.withLock { state in
            guard state.cut.remove(number) != nil else { return 0 }
            return state.ended.insert(number).inserted ? 1 : 0
        }
    }

    /// Ends all leases and cuts what is under way, because the vault is locked. It waits for nothing.
    func noteLock() {
        let cut = state.withLock { state in
            state.cut = state.cut.filter { $0 > state.last - Self.mostEnded }.union(state.all.map(\.number))
            return state.all
        }
        for loan in cut { loan.cut() }
    }
}
