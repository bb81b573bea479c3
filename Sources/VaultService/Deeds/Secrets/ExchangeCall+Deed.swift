package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension ExchangeCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let policy = policy ?? visit.service.settings.policy
        let new = try visit.item(name, policy, comment)
        let secret = try Visit.orEmpty(secret)
        let (context, interaction) = try visit.context(asked)
        _ = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.exchange(
                former.map { visit.item($0) }, for: new, secret: secret, by: visit.requester, in: context,
                interaction: interaction)
        }
        return CallResult(Reply(policy, isReused: policy.isReused && visit.service.settings.reuse > 0))
    }
}
