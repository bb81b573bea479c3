package import AgentProtocol
internal import LoanRules
internal import SSHProtocol
package import SodiumKit

extension SignLoginCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let loan = try visit.requireLoan()
        guard let account = loan.target.account else {
            throw AgentError(.request, "this loan signs no logins: it is for \(loan.target.words)")
        }
        let stored = try visit.lent(loan.item, for: loan.target)
        let key = try visit.loginKey(of: stored)
        let limits = visit.service.sshKeys.key(key.blob)?.destinations ?? []
        let login = try LentLogin(self, to: account, with: key, limits: limits)
        let use = try visit.sign(login.operation(), with: stored, lentBy: loan, asked)
        let signature = login.scheme.encode(use.signature)
        // The name may lead to another key by now, and no wrong signature leaves the agent.
        guard login.key.verify(signature, of: login.message) else {
            loan.giveBack(use.number)
            throw AgentError(.agent, "the key \(loan.item) was replaced meanwhile: try again")
        }
        return CallResult(Reply(number: use.number, signature: signature))
    }
}
