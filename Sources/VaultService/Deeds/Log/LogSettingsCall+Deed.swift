package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension LogSettingsCall: Deed {
    /// Changes the settings of the log, if there are changes, and returns them.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        if !changes.isEmpty {
            let context = try visit.authenticationContext()
            try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.setAudit(
                    limit: changes[.logSize].map { Int64($0.number) }, isDurable: changes[.durableLog]?.flag,
                    by: visit.requester, in: context)
            }
        }
        let settings = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.auditSettings }
        return CallResult(Reply(SettingChanges(settings)))
    }
}
