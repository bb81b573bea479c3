public import Foundation
package import Latchkey
public import Security

/// A context in which the owner of the device authenticates.
///
/// Pass it to a keychain call under `kSecUseAuthenticationContext`: the call counts the authentication in the context,
/// and authentication during the call counts in the context.
open class LAContext: NSObject {
    let core = ContextCore()

    /// Creates a context in which no factor has been authenticated yet.
    public override init() {}

    deinit { core.invalidate() }

    // MARK: - Evaluating

    /// Returns true if the user could satisfy `policy` now. It shows no prompt. Do not keep the answer, because it
    /// changes with the device.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let failure = core.preflight(policy)
        error?.pointee = failure?._nsError
        return failure == nil
    }

    /// Asks the user to satisfy `policy`, and calls `reply` on a thread of its own.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        core.evaluate(.policy(policy), localizedReason, keeping: self, reply)
    }

    /// Asks the user to satisfy `policy`, and returns true if they do.
    ///
    /// - Throws: An ``LAError`` if the policy is not satisfied.
    @discardableResult
    open nonisolated(nonsending) func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await replied { evaluatePolicy(policy, localizedReason: localizedReason, reply: $0) }
    }

    /// Asks the user to satisfy `accessControl` for `operation`, and calls `reply` on a thread of its own.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        core.evaluate(.accessControl(accessControl.policy, operation), localizedReason, keeping: self, reply)
    }

    /// Asks the user to satisfy `accessControl` for `operation`, and returns true if they do.
    ///
    /// - Throws: An ``LAError`` if the access control is not satisfied.
    @discardableResult
    open nonisolated(nonsending) func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await replied {
            evaluateAccessControl(
                accessControl, operation: operation, localizedReason: localizedReason, reply: $0)
        }
    }

    /// Ends the context. Evaluations under way end with `LAError.appCancel`, and later ones with
    /// `LAError.invalidContext`.
    open func invalidate() { core.invalidate() }

    // MARK: - Credentials

    /// Sets the application password, or with nil removes it. Returns false for any other type of credential, and for
    /// an invalidated context.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        type == .applicationPassword && core.setPassword(credential)
    }

    /// Returns true if a credential of this type is set.
    @discardableResult
    open func isCredentialSet(_ type: LACredentialType) -> Bool { type == .applicationPassword && core.hasPassword }

    // MARK: - Wording

    /// The title of the button that leads to another factor; nil for the default title, empty for no button.
    open var localizedFallbackTitle: String? {
        get { core.words.fallbackTitle }
        set { core.words.fallbackTitle = newValue }
    }

    /// The title of the button that cancels; nil or empty for the default title.
    open var localizedCancelTitle: String? {
        get { core.words.cancelTitle }
        set { core.words.cancelTitle = newValue }
    }

    /// The reason to show in prompts of calls that give none themselves.
    open var localizedReason: String {
        get { core.words.reason }
        set { core.words.reason = newValue }
    }

    /// True if the context shows no prompts.
    open var interactionNotAllowed: Bool {
        get { core.words.forbidsInteraction }
        set { core.words.forbidsInteraction = newValue }
    }

    /// The number of seconds for which an unlock of the device by biometry counts as biometry here. More than 300 count
    /// as 300.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { core.reuse }
        set { core.reuse = newValue }
    }

    /// A setting without effect. Deprecated by Apple.
    open var maxBiometryFailures: NSNumber?

    // MARK: - State

    /// The kind of sensor, known once ``canEvaluatePolicy(_:error:)`` was called.
    open var biometryType: LABiometryType { core.biometryType }

    /// Data that changes whenever the enrolled set changes; nil until a policy with biometry was checked or satisfied.
    /// Deprecated by Apple in favor of ``domainState``.
    open var evaluatedPolicyDomainState: Data? { core.domainState }

    /// Hashes of the enrolled set and of the paired companions.
    open var domainState: LADomainState { LADomainState() }
}

extension LAContext: KeychainContextSource {
    /// Returns the context on this keychain, with its present wording.
    package func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext {
        try core.onKeychain(keychain)
    }
}

/// Waits for the reply to a call with a reply handler.
private nonisolated(nonsending) func replied(
    _ ask: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
        ask { isMet, error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isMet) }
        }
    }
}
