internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import SecretVault
internal import SodiumKit

extension HistoryCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (keychain, limit) = (visit.agent.keychain, visit.agent.settings.historyLimit)
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
