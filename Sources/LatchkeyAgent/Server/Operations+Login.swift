internal import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import SodiumKit
internal import SystemServices

// The requests of the module for PAM. Any program of the user can send them, and none learns from the answer if a password
// is right.

extension Visit {
    /// Takes the password of a login. A vault whose passcode is not the login password ignores it.
    func unlockAtLogin(_ secret: consuming SecureBytes?) throws(AgentError) -> Answer<RawReply> {
        guard let password = secret.take(), password.canBePasscode else { throw Self.noPassword }
        guard agent.keychain.followsLoginPassword else { return Self.taken(false) }
        let isNeeded = try onKeychain { (keychain) throws(KeychainError) in
            // The first use of a new password ends the former one, also if the vault is unlocked.
            if keychain.isUnlocked { return try keychain.formerPasscodeRemains != nil }
            return true
        }
        if !isNeeded { return Self.taken(false) }
        let ticket = try onKeychain { (keychain) throws(KeychainError) in try keychain.ticketToUnlock() }
        return try add(.unlock(Carrier(password), ticket))
    }

    /// Takes the old and the new login password. A vault whose passcode is not the login password ignores them.
    func followLoginPassword(_ secret: consuming SecureBytes?) throws(AgentError) -> Answer<RawReply> {
        guard let both = secret.take(), let (old, new) = try Self.passwords(in: both) else { throw Self.noPassword }
        guard agent.keychain.followsLoginPassword else { return Self.taken(false) }
        let ticket = try onKeychain { (keychain) throws(KeychainError) in try keychain.ticketToUnlock() }
        return try add(.follow(old: old, new: new, ticket))
    }

    /// Locks the vault if its settings say so and no other session of the user is left.
    func endSession(_ session: String?) throws(AgentError) -> Answer<RawReply> {
        guard agent.settings[.lockAtLogout].flag, !LoginSession.hasOthers(of: geteuid(), besides: session) else {
            return Answer(Head(["locked": .bool(false)]))
        }
        _ = try lock()
        return Answer(Head(["locked": .bool(true)]))
    }

    private func add(_ job: LoginPasswords.Job) throws(AgentError) -> Answer<RawReply> {
        guard agent.logins.add(job) else {
            throw AgentError(.agent, "the agent is still checking the passwords of earlier logins: try again")
        }
        return Self.taken(true)
    }

    private static func taken(_ isTaken: Bool) -> Answer<RawReply> { Answer(Head(["taken": .bool(isTaken)])) }

    private static var noPassword: AgentError {
        AgentError(.request, "the secret part of this request is no login password (docs/agent.md)")
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
