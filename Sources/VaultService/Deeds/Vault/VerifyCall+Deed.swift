package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
package import SodiumKit

extension VerifyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let report = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.verify() }
        try send(report.findings.map(\.description), asked)
        return CallResult(Reply(items: report.items, opened: report.opened, findings: report.findings.count))
    }
}
