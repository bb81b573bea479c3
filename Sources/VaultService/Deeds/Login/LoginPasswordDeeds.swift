package import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
package import SodiumKit

// The passwords that the module for PAM passes on. Any program of the user can send some, and none learns from the answer if a
// password is right.

extension UnlockAtLoginCall: Deed {
    /// Takes the password of a login. A vault whose passcode is not the login password ignores it.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard let password = secret.take(), password.canBePasscode else { throw AgentError.noPassword }
        guard visit.service.keychain.followsLoginPassword else { return CallResult(Reply(isTaken: false)) }
        let isNeeded = try visit.onKeychain { (keychain) throws(KeychainError) in
            // The first use of a new password ends the former one, also if the vault is unlocked.
            if keychain.isUnlocked { return try keychain.formerPasscodeRemains != nil }
            return true
        }
        if !isNeeded { return CallResult(Reply(isTaken: false)) }
        let ticket = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.ticketToUnlock() }
        try visit.add(.unlock(Carrier(password), ticket))
        return CallResult(Reply(isTaken: true))
    }
}

extension FollowLoginPasswordCall: Deed {
    /// Takes the old and the new login password. A vault whose passcode is not the login password ignores them.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard let both = secret.take(), let (old, new) = try Self.passwords(in: both) else {
            throw AgentError.noPassword
        }
        guard visit.service.keychain.followsLoginPassword else { return CallResult(Reply(isTaken: false)) }
        let ticket = try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.ticketToUnlock() }
        try visit.add(.follow(old: old, new: new, ticket))
        return CallResult(Reply(isTaken: true))
    }

    /// Returns the two passwords in a secret part; nil if it does not have two.
    private static func passwords(
        in both: borrowing SecureBytes
    ) throws(AgentError) -> (old: Carrier<SecureBytes>, new: Carrier<SecureBytes>)? {
        do throws(SodiumError) {
            return try both.withBytes { bytes throws(SodiumError) in
                guard bytes.byteCount > 4 else { return nil }
                var length = 0
                for place in 0..<4 {
                    length = length << 8 | Int(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
                }
                guard length <= bytes.byteCount - 4 else { return nil }
                let rest = bytes.extracting(last: bytes.byteCount - 4)
                let old = try SecureBytes(copying: rest.extracting(first: length))
                let new = try SecureBytes(copying: rest.extracting(droppingFirst: length))
                guard old.canBePasscode, new.canBePasscode else { return nil }
                return (Carrier(old), Carrier(new))
            }
        } catch { throw AgentError(.vault, "\(error)") }
    }
}

extension Visit {
    fileprivate func add(_ job: LoginPasswords.Job) throws(AgentError) {
        guard service.logins.add(job) else {
            throw AgentError(.agent, "the agent is still checking the passwords of earlier logins: try again")
        }
    }
}

extension AgentError {
    fileprivate static var noPassword: AgentError {
        AgentError(.request, "the secret part of this request is no login password (docs/agent.md)")
    }
}
