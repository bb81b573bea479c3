internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension MatchCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let context = try visit.authenticationContext()
        // This policy takes biometry alone, so the prompt offers no fallback.
        let control = try ItemPolicy(.whenUnlocked, .biometryAny).control()
        try visit.onKeychain { (keychain) throws(KeychainError) in
            try context.evaluate(
                control, for: .readData, by: visit.requester, because: asked.reason ?? "try the sensor")
        }
        return CallResult(Reply(matched: true))
    }
}
