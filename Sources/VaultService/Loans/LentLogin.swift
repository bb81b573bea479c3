internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import LoanRules
internal import SSHProtocol

/// A login by SSH that a loan was asked to sign, after all checks that need no key.
struct LentLogin: Sendable {
    let key: SSHPublicKey
    let scheme: SSHSignatureScheme
    /// The bytes that are signed.
    let message: [UInt8]

    /// Checks a login.
    ///
    /// The host has to have signed the connection: only then is the login one to this host, and not one that another host would pass
    /// on. A connection over which the agent is forwarded is none that a loan signs for, and neither is any data but a login.
    /// Nor does it sign for a host that the limits of the key exclude.
    init(
        _ call: SignLoginCall, to account: SSHAccount, with key: SSHPublicKey, limits: [SSHDestination]
    ) throws(AgentError) {
        let data = SSHSignedData(call.login)
        guard case .login(let login) = data else {
            throw .loginNotLent("it signs logins alone, and no files, certificates or other data")
        }
        var route = SSHRoute()
        let binding = SSHSessionBinding(
            hostKey: call.hostKey, session: call.session, signature: call.hostSignature, isForwarding: false)
        guard let binding, route.add(binding) else {
            throw .loginNotLent("the host has not signed the connection: OpenSSH 8.9 or newer is needed")
        }
        guard login.session == binding.session,
            login.hostKey.map({ SSHPublicKey(blob: $0)?.plain == binding.hostKey.plain }) != false
        else { throw .loginNotLent("the login is for another connection than the one that the host has signed") }
        guard try Self.requireKnown(account).contains(binding.hostKey.plain.blob) else {
            throw .loginNotLent(
                "the host that answered as \(account.knownName) has the key \(binding.hostKey.plain.fingerprint), which is none that you know for it"
            )
        }
        guard login.user == account.user else {
            throw .loginNotLent("it is lent for the user \(account.user), and for no other")
        }
        guard login.key == key.blob, let scheme = SSHSignatureScheme(key.key.type, flags: call.flags) else {
            throw .loginNotLent("it is lent with another key, or without SHA-1")
        }
        guard route.permitsSigning(data, with: key.blob, limits) else {
            throw .loginNotLent("`latchkey ssh add --to` limits the key to other hosts")
        }
        (self.key, self.scheme, message) = (key, scheme, call.login)
    }

    /// Returns the keys that the owner knows for a host. Throws if there is none.
    @discardableResult
    static func requireKnown(_ account: SSHAccount) throws(AgentError) -> [[UInt8]] {
        let keys = KnownHosts.ofTheUser.keys(of: account.knownName)
        guard !keys.isEmpty else {
            throw AgentError(
                .notFound, "no key of \(account.knownName) is known: log in to it once with ssh, and try again")
        }
        return keys
    }

    /// The operation that makes the signature.
    func operation() throws(AgentError) -> KeyOperation {
        do throws(KeyError) {
            guard let hash = scheme.hash else { return .sign(message, scheme.scheme) }
            return .sign(try hash.digest(of: message.span.bytes), scheme.digestScheme)
        } catch { throw AgentError(.key(error)) }
    }
}

extension AgentError {
    fileprivate static func loginNotLent(_ why: String) -> AgentError {
        AgentError(.denied, "this loan does not sign that: \(why)")
    }
}
