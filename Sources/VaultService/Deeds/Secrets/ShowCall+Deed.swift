internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension ShowCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let stored = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(visit.item(name), by: visit.requester)
        }
        return CallResult(Reply(Entry(stored), try visit.outlook(.readData, on: visit.item(name))))
    }
}
