internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension HistoryCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (keychain, limit) = (visit.service.keychain, visit.service.settings.historyLimit)
        let outline = try visit.perform(.readData, on: visit.item(name), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.outline(item, keeping: limit, by: requester, in: context, interaction: interaction)
        }
        let versions = outline?.versions ?? []
        return CallResult(
            Reply(
                versions.map {
                    SecretVersion(saved: $0.saved.sinceUnixEpoch, count: $0.count, fields: $0.fields)
                }))
    }
}
