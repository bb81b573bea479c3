package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension CheckRecoveryKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        _ = try visit.typedRecoveryKey(because: "check the recovery key of the vault")
        return CallResult()
    }
}

extension ReplaceRecoveryKeyCall: Deed {
    /// Makes a new recovery key, after the passcode was typed.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let isFirst = try !visit.onKeychain { (keychain) throws(KeychainError) in try keychain.hasRecoveryKey }
        let passcode = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.typedPasscode(
                reason: "\(isFirst ? "make a" : "replace the") recovery key of the vault", by: visit.requester)
        }
        // The keys are wrapped under what was typed, which has to be the passcode that stays.
        if try visit.onKeychain({ (keychain) throws(KeychainError) in try keychain.formerPasscodeRemains }) != nil {
            throw AgentError(
                .request, "this is the former passcode, and nothing was changed: run `latchkey unlock` with the new one"
            )
        }
        let key = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.replaceRecoveryKey(passcode)
        }
        do throws(SodiumError) { return CallResult(Reply(isFirst: isFirst), secret: try key.text()) } catch {
            throw AgentError(.vault, "\(error)")
        }
    }
}
