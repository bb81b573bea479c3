public import AccessPolicy
internal import SecretVault
public import SodiumKit
internal import Synchronization
internal import UserPresence

/// What somebody has proved, and how an app wants them to be asked. An `LAContext` is one.
///
/// It belongs to the keychain that it was made on, and what was proved in it ends with it, with a lock, or when it is
/// invalidated.
public final class KeychainContext: Sendable {
    let keychain: Keychain
    let vaultContext: VaultContext
    private let wording = Mutex(Wording())

    /// How an app wants its user to be asked.
    public struct Wording: Hashable, Sendable {
        /// What for.
        public var reason = ""
        /// What the way out is called that leads on to another factor; nil for the usual words, empty for none.
        public var fallbackTitle: String?
        /// What the way out is called that leads nowhere; nil or empty for the usual word.
        public var cancelTitle: String?
        /// True if no prompt may be shown.
        public var forbidsInteraction = false

        /// The usual words.
        public init() {}
    }

    init(_ keychain: Keychain, _ vaultContext: VaultContext) {
        self.keychain = keychain
        self.vaultContext = vaultContext
    }

    /// How the app wants its user to be asked.
    public var words: Wording {
        get { wording.withLock { $0 } }
        set { wording.withLock { $0 = newValue } }
    }

    /// How old an unlock of the device by biometry may be to count as biometry here; zero means never, and more than five
    /// minutes count as five.
    public func setReuse(_ span: TimeSpan) throws(KeychainError) {
        try keychain.onVault { (_) throws(VaultError) in try vaultContext.setReuse(span) }
    }

    /// Sets the password of the application. It is stretched, which takes as long as a passcode does.
    public func setApplicationPassword(_ password: borrowing SecureBytes) throws(KeychainError) {
        try keychain.onVault { (_) throws(VaultError) in try vaultContext.setApplicationPassword(password) }
    }

    /// Forgets the password of the application.
    public func dropApplicationPassword() throws(KeychainError) {
        try keychain.onVault { (_) throws(VaultError) in try vaultContext.dropApplicationPassword() }
    }

    /// What has been proved so far.
    public var evidence: Context {
        get throws(KeychainError) { try keychain.onVault { (_) throws(VaultError) in try vaultContext.context } }
    }

    /// Ends it: prompts that are shown for it are taken away, what it held is wiped, and nothing is answered in it any more.
    public func invalidate() throws(KeychainError) {
        try keychain.onVault { (_) throws(VaultError) in try vaultContext.invalidate() }
        keychain.prompts.endAll(.appCanceled, of: self)
    }

    /// Returns true if it was made on this keychain.
    package func belongs(to keychain: Keychain) -> Bool { self.keychain === keychain }

    /// True if the keychain that it was made on is closed.
    package var isClosed: Bool { (try? keychain.device) == nil }

    /// Proves that `policy` is met, asking for what is missing. Throws where it is not. `reason` is what for, where that is not
    /// what the context says.
    public func evaluate(
        _ policy: AuthenticationPolicy, by requester: Requester? = nil, because reason: String? = nil
    ) throws(KeychainError) {
        var call = KeychainCall(keychain, by: requester, in: self)
        call.reason = reason
        try keychain.authorize(call) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.evaluate(policy, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    /// Proves that `control` is met for `operation`, asking for what is missing; without an operation, that it could be stored.
    public func evaluate(
        _ control: AccessControl, for operation: Operation?, by requester: Requester? = nil,
        because reason: String? = nil
    ) throws(KeychainError) {
        var call = KeychainCall(keychain, by: requester, in: self)
        call.reason = reason
        try keychain.authorize(call) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.evaluate(control, for: operation, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    /// What evaluating `policy` would be decided to be now. Nobody is asked, and nothing changes.
    public func decision(on policy: AuthenticationPolicy, by requester: Requester? = nil) throws(KeychainError)
        -> Decision
    {
        try keychain.ask(preflight(by: requester)) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.decision(on: policy, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    /// What meeting `control` for `operation` would be decided to be now. Nobody is asked, and nothing changes.
    public func decision(
        on control: AccessControl, for operation: Operation?, by requester: Requester? = nil
    ) throws(KeychainError) -> Decision {
        try keychain.ask(preflight(by: requester)) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.decision(on: control, for: operation, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    private func preflight(by requester: Requester?) -> KeychainCall {
        var call = KeychainCall(keychain, by: requester, in: self)
        call.interaction = .preflight
        return call
    }
}

extension Keychain {
    /// A context in which nothing is proved yet.
    public func makeContext(_ words: KeychainContext.Wording = KeychainContext.Wording()) throws(KeychainError)
        -> KeychainContext
    {
        let context = KeychainContext(self, try onVault { (vault) throws(VaultError) in try vault.makeContext() })
        context.words = words
        return context
    }
}
