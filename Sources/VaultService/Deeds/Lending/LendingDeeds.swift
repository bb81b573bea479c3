package import AgentProtocol
internal import Latchkey
internal import LoanRules
package import SodiumKit

// What is lent, for which servers, and until when.

extension LendCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard LeaseTerms.someMinutes.contains(terms.minutes), terms.uses.map(LeaseTerms.someUses.contains) != false
        else {
            throw AgentError(.request, "a lease has 1 to 720 minutes, and 1 to 10000 uses")
        }
        // First, so that a borrower hears of the end also while the vault is locked.
        if let former { try visit.service.loans.requireGoing(former) }
        let item = try visit.stored(name)
        try visit.requireLending(item, named: name, to: terms.server)
        let loan = try visit.begin(self, for: asked.visitor)
        return CallResult(
            Reply(number: loan.number, mark: visit.service.loans.mark(of: loan), asks: visit.asking(item)))
    }
}

extension UseLoanCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let loan = try visit.requireLoan()
        if loan.isOver { throw .loanIsOver }
        return try visit.use(loan, for: self, asked)
    }
}

extension GiveBackUseCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireLoan().giveBack(number)
        return CallResult()
    }
}

extension LoansCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (now, locks) = (visit.service.now(), visit.service.kept.locks)
        let entries = visit.service.loans.all.map { $0.entry(at: now, locks: locks) }
        try send(entries, asked)
        return CallResult(Reply(count: entries.count))
    }
}

extension EndLoansCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let count = visit.service.loans.end(number)
        if let number, count == 0 {
            throw AgentError(.notFound, "there is no loan \(number): run `latchkey lend list`")
        }
        return CallResult(Reply(count: count))
    }
}
