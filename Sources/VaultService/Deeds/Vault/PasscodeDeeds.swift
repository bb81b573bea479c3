internal import AccessPolicy
package import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import SecretVault
package import SodiumKit
internal import UserPresence

// A new passcode, by the present one or by the recovery key.

extension ChangePasscodeCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let reason = "change the passcode of the vault"
        // The present passcode is checked before the user thinks of a new one.
        let present = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.typedPasscode(reason: reason, by: visit.requester)
        }
        let next = try visit.ask(.newPasscode, because: reason)
        if next.equals(present) { throw AgentError(.request, "this is the present passcode: choose another one") }
        let effects = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.changePasscode(from: present, to: next)
        }
        try visit.require(effects)
        if effects.contains(.rejected(.passcode)) { throw AgentError(KeychainError.wrongPasscode) }
        return CallResult(Reply(warning: visit.warning(about: next)))
    }
}

extension RecoverCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let reason = "set a new passcode"
        // The key is checked before the user thinks of a new passcode.
        let key = try visit.typedRecoveryKey(because: reason)
        let next = try visit.ask(.newPasscode, because: reason)
        try visit.require(
            try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.recover(with: key, to: next) })
        return CallResult(Reply(warning: visit.warning(about: next)))
    }
}
