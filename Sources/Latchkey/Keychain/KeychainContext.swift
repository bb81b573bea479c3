public import AccessPolicy
internal import SecretVault
public import SodiumKit
internal import Synchronization
internal import UserPresence

/// A context in which a user authenticates, with the wording of its prompts. An `LAContext` is one.
///
/// A context belongs to the keychain that made it. Its authentication ends with the context, when the device locks, or
/// when the context is invalidated.
public final class KeychainContext: Sendable {
    let keychain: Keychain
    let vaultContext: VaultContext
    private let wording = Mutex(Wording())
    private let lastOfSensor = Mutex<ItemReference?>(nil)

    /// The wording of prompts, as an app chooses it.
    public struct Wording: Hashable, Sendable {
        /// The reason to show in prompts.
        public var reason = ""
        /// The title of the button that leads to another factor; nil for the default title, empty for no button.
        public var fallbackTitle: String?
        /// The title of the button that cancels; nil or empty for the default title.
        public var cancelTitle: String?
        /// True if the context shows no prompts.
        public var forbidsInteraction = false

        /// Creates the default wording.
        public init() {}
    }

    init(_ keychain: Keychain, _ vaultContext: VaultContext) {
        self.keychain = keychain
        self.vaultContext = vaultContext
    }

    /// Returns true if this is the item that needed the sensor last.
    func isLastOfSensor(_ item: ItemReference) -> Bool { lastOfSensor.withLock { $0 == item } }

    /// Records that a decision about an item depended on the sensor.
    func noteSensor(of item: ItemReference) { lastOfSensor.withLock { $0 = item } }

    /// The wording of the context's prompts.
    public var words: Wording {
        get { wording.withLock { $0 } }
        set { wording.withLock { $0 = newValue } }
    }

    /// Sets how old an unlock of the device by biometry may be to count as biometry in this context.
    ///
    /// Zero means that no unlock counts, and more than five minutes mean five.
    public func setReuse(_ span: TimeSpan) throws(KeychainError) {
        try keychain.onVault(vaultContext.setReuse(span))
    }

    /// Sets the application password. Stretching it takes as long as stretching a passcode.
    public func setApplicationPassword(_ password: borrowing SecureBytes) throws(KeychainError) {
        try keychain.onVault(vaultContext.setApplicationPassword(password))
    }

    /// Removes the application password.
    public func dropApplicationPassword() throws(KeychainError) {
        try keychain.onVault(vaultContext.dropApplicationPassword())
    }

    /// The factors that have been authenticated so far.
    public var evidence: Context {
        get throws(KeychainError) { try keychain.onVault(vaultContext.context) }
    }

    /// Ends the context: dismisses its prompts, wipes its keys, and denies every later call that passes it.
    public func invalidate() throws(KeychainError) {
        try keychain.onVault(vaultContext.invalidate())
        keychain.prompts.endAll(.appCanceled, of: self)
    }

    /// Returns true if the context was made on this keychain.
    package func belongs(to keychain: Keychain) -> Bool { self.keychain === keychain }

    /// True if the keychain that made the context is closed.
    package var isClosed: Bool { (try? keychain.device) == nil }

    /// Satisfies `policy`, prompting for the missing factors.
    ///
    /// - Parameters:
    ///   - policy: The policy to satisfy.
    ///   - requester: The requester to name in prompts and in the audit log; nil for the keychain's own.
    ///   - reason: The reason to show in prompts; nil for the one in ``words``.
    /// - Throws: ``KeychainError/denied(_:)`` if the policy is not satisfied.
    public func evaluate(
        _ policy: AuthenticationPolicy, by requester: Requester? = nil, because reason: String? = nil
    ) throws(KeychainError) {
        var call = KeychainCall(keychain, by: requester, in: self)
        call.reason = reason
        try keychain.authorize(call) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.evaluate(policy, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    /// Satisfies `control` for `operation`, prompting for the missing factors. Without an operation, it checks that an
    /// item with this access control could be stored.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the access control is not satisfied.
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

    /// Returns what evaluating `policy` would decide now. It shows no prompt and changes nothing.
    public func decision(on policy: AuthenticationPolicy, by requester: Requester? = nil) throws(KeychainError)
        -> Decision
    {
        try keychain.ask(preflight(by: requester)) { (caller, vaultContext) throws(VaultError) in
            try keychain.vault.decision(on: policy, for: caller, in: vaultContext ?? self.vaultContext)
        }
    }

    /// Returns what evaluating `control` for `operation` would decide now. It shows no prompt and changes nothing.
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
    /// Makes a context in which no factor has been authenticated yet.
    public func makeContext(_ words: KeychainContext.Wording = KeychainContext.Wording()) throws(KeychainError)
        -> KeychainContext
    {
        let context = KeychainContext(self, try onVault(vault.makeContext()))
        context.words = words
        return context
    }
}
