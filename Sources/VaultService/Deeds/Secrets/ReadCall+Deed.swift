internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension ReadCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let keychain = visit.service.keychain
        let found = try visit.perform(.readData, on: visit.item(name), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.read(item, by: requester, in: context, interaction: interaction)
        }
        guard let found else { return CallResult() }
        return try visit.released(found)
    }
}
