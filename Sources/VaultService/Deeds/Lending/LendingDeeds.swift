package import AgentProtocol
internal import Latchkey
internal import LoanRules
internal import SSHProtocol
internal import SecretVault
package import SodiumKit

// Loans: their beginning, their uses, their list and their end.

extension LendCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard LeaseTerms.someMinutes.contains(terms.minutes), terms.uses.map(LeaseTerms.someUses.contains) != false
        else {
            throw AgentError(.request, "a lease has 1 to 720 minutes, and 1 to 10000 uses")
        }
        guard terms.signs.map({ SigningScope($0) != nil }) != false else {
            throw AgentError(.request, "what a loan signs is named by a service and a region, as in s3 eu-central-1")
        }
        guard let target = LoanTarget(terms.target) else {
            throw AgentError(
                .request,
                "a secret is lent for a server, as https://api.example.com, for logins, as ssh://git@github.com, or for a word such as codes"
            )
        }
        guard (target == .value) == (terms.form != nil), terms.form.map({ ReleaseForm(rawValue: $0) != nil }) != false
        else {
            throw AgentError(
                .request,
                "a loan of the value has a form, and no other has: \(ReleaseForm.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        guard terms.signs == nil || target.server != nil else {
            throw AgentError(.request, "requests to a server are signed, and \(target.words) are not")
        }
        // First, so that a borrower hears of the end also while the vault is locked.
        if let former { try visit.service.loans.requireGoing(former) }
        let item = try visit.lent(name, for: target)
        try visit.requireKeyUse(of: item, named: name, for: target)
        try visit.requireLending(item, named: name, for: target.text)
        try visit.requirePolicy(item, named: name, terms.policy)
        let key = try target.account.map { (account) throws(AgentError) in
            try LentLogin.requireKnown(account)
            return try visit.loginKey(of: item)
        }
        let loan = try visit.begin(self, for: target, to: asked.visitor)
        return CallResult(
            Reply(
                number: loan.number, mark: visit.service.loans.mark(of: loan), asks: visit.asking(item),
                key: key.map { Base64.text($0.blob) } ?? ""))
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
