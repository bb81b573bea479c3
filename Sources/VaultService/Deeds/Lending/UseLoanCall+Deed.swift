package import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LoanRules
internal import SecretTools
internal import SecretVault
package import SodiumKit

extension UseLoanCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let loan = try visit.requireLoan()
        guard loan.scope == nil else {
            throw AgentError(.request, "this loan signs requests and never gives out its secret: use `sign-loan`")
        }
        guard loan.target.server != nil || former == nil else {
            throw AgentError(.request, "only a request to a server belongs to one before it")
        }
        if isAhead { return try approve(visit, loan, asked) }
        switch loan.target {
        case .server: return try credential(visit, loan, asked)
        case .codes: return try code(visit, loan, asked)
        case .value: return try release(visit, loan, asked)
        case .signatures, .decryptions:
            throw AgentError(.request, "this loan uses a key, which it never gives out: use `use-key-loan`")
        case .logins:
            throw AgentError(.request, "this loan signs logins and never gives out its key: use `sign-login`")
        }
    }

    /// Has the lender approve uses that come later, and gives back the one that it was asked for.
    private func approve(_ visit: Visit, _ loan: Loan, _ asked: AskedRequest) throws(AgentError) -> CallResult<Reply> {
        guard former == nil, !loan.target.isOfKey else {
            throw AgentError(.request, "uses of a secret are approved ahead, and none that belongs to one before it")
        }
        guard visit.asking(try visit.lent(loan.item, for: loan.target)) == .eachLease else {
            throw AgentError(.request, "the policy of \(loan.item) has no approvals ahead of uses: use it")
        }
        let taken = try visit.use(loan, for: self, asked, reading: .value(version: 0))
        loan.giveBack(taken.number)
        return CallResult(Reply(number: taken.number))
    }

    /// Returns the secret for a request.
    private func credential(_ visit: Visit, _ loan: Loan, _ asked: AskedRequest) throws(AgentError) -> CallResult<Reply>
    {
        var taken = try visit.use(loan, for: self, asked, reading: .value(version: 0))
        let number = taken.number
        var value = taken.value.take()
        // A use that was counted before stays one.
        return try loan.givingBack(number == former ? nil : number) { () throws(AgentError) in
            CallResult(Reply(number: number), secret: try Self.sendable(value.take(), of: loan))
        }
    }

    /// Returns a one-time code. The seed stays here.
    private func code(_ visit: Visit, _ loan: Loan, _ asked: AskedRequest) throws(AgentError) -> CallResult<Reply> {
        var taken = try visit.use(loan, for: self, asked, reading: .value(version: 0))
        let number = taken.number
        var value = taken.value.take()
        return try loan.givingBack(number) { () throws(AgentError) in
            let text = try Self.sendable(value.take(), of: loan)
            do throws(OneTimeCodeError) {
                let seed = try text.withBytes { (text) throws(OneTimeCodeError) in try OneTimeSeed(text) }
                if let (count, left) = seed.period(at: Int64(time(nil))) {
                    return CallResult(
                        Reply(number: number, secondsLeft: Int(clamping: left)), secret: try seed.code(count))
                }
            } catch { throw AgentError(.request, "\(loan.item): \(error)") }
            throw AgentError(
                .request,
                "\(loan.item) counts its codes, and such codes are not lent: each changes the secret, and asks for that"
            )
        }
    }

    /// Returns the secret itself, in the form of the loan.
    private func release(_ visit: Visit, _ loan: Loan, _ asked: AskedRequest) throws(AgentError) -> CallResult<Reply> {
        guard let form = loan.form else { throw AgentError(.request, "this loan has no form for its secret") }
        let text = ReleaseText(form)
        var taken = try visit.use(loan, for: self, asked, reading: text.part)
        let number = taken.number
        var value = taken.value.take()
        return try loan.givingBack(number) { () throws(AgentError) in
            CallResult(
                Reply(number: number),
                secret: try text.made(of: value.take(), named: loan.item, at: Int64(time(nil))))
        }
    }

    /// Returns the secret that was read. Throws if it is none, or too long.
    private static func sendable(
        _ secret: consuming SecureBytes?, of loan: Loan
    ) throws(AgentError) -> SecureBytes {
        guard let secret, secret.count > 0 else {
            throw AgentError(.request, "there is no secret to lend: \(loan.item) is empty")
        }
        guard secret.count <= WireLimits.typed else {
            throw AgentError(.request, "\(loan.item) has \(secret.count) bytes, which is too long to be lent")
        }
        return secret
    }
}
