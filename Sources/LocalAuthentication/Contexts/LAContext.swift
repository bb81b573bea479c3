public import Foundation
package import Latchkey
public import Security

/// Asks whoever holds the device to prove it, and remembers for a while that they did.
///
/// Handed to a keychain call under `kSecUseAuthenticationContext`, what was proved in it counts there, and the other way round.
open class LAContext: NSObject {
    let core = ContextCore()

    /// A context in which nothing is proved yet.
    public override init() {}

    deinit { core.invalidate() }

    // MARK: - Evaluating

    /// Returns true if `policy` could be met now. It shows no prompt. Do not keep the answer: it changes with the device.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let failure = core.preflight(policy)
        error?.pointee = failure?._nsError
        return failure == nil
    }

    /// Asks for what `policy` needs, and replies on a thread of its own.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        core.evaluate(.policy(policy), localizedReason, keeping: self, reply)
    }

    /// The same for whoever can wait. True, or an ``LAError``.
    @discardableResult
    open nonisolated(nonsending) func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await replied { evaluatePolicy(policy, localizedReason: localizedReason, reply: $0) }
    }

    /// Asks for what `accessControl` needs for `operation`, and replies on a thread of its own.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        core.evaluate(.accessControl(accessControl.policy, operation), localizedReason, keeping: self, reply)
    }

    /// The same for whoever can wait. True, or an ``LAError``.
    @discardableResult
    open nonisolated(nonsending) func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await replied {
            evaluateAccessControl(
                accessControl, operation: operation, localizedReason: localizedReason, reply: $0)
        }
    }

    /// Ends the context: what is under way in it ends with `LAError.appCancel`, and what comes later with
    /// `LAError.invalidContext`.
    open func invalidate() { core.invalidate() }

    // MARK: - Credentials

    /// Hands over a password of the application, or with nil forgets it. False where that cannot be.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        type == .applicationPassword && core.setPassword(credential)
    }

    /// Returns true if something was handed over.
    @discardableResult
    open func isCredentialSet(_ type: LACredentialType) -> Bool { type == .applicationPassword && core.hasPassword }

    // MARK: - Words

    /// What the way out is called that leads on to another factor; nil for the usual words, empty for none.
    open var localizedFallbackTitle: String? {
        get { core.words.fallbackTitle }
        set { core.words.fallbackTitle = newValue }
    }

    /// What the way out is called that leads nowhere; nil or empty for the usual word.
    open var localizedCancelTitle: String? {
        get { core.words.cancelTitle }
        set { core.words.cancelTitle = newValue }
    }

    /// What for somebody is asked where a call does not say it itself.
    open var localizedReason: String {
        get { core.words.reason }
        set { core.words.reason = newValue }
    }

    /// True if no prompt may be shown.
    open var interactionNotAllowed: Bool {
        get { core.words.forbidsInteraction }
        set { core.words.forbidsInteraction = newValue }
    }

    /// For how many seconds an unlock of the device by biometry counts here as biometry; more than 300 count as 300.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { core.reuse }
        set { core.reuse = newValue }
    }

    /// Has no effect. Deprecated by Apple.
    open var maxBiometryFailures: NSNumber?

    // MARK: - What is known

    /// The kind of sensor, once ``canEvaluatePolicy(_:error:)`` has looked.
    open var biometryType: LABiometryType { core.biometryType }

    /// Bytes that are others once somebody else is enrolled; nil until a policy with biometry was found or met. Deprecated by
    /// Apple in favor of ``domainState``.
    open var evaluatedPolicyDomainState: Data? { core.domainState }

    /// Who is enrolled and what is paired, as hashes.
    open var domainState: LADomainState { LADomainState() }
}

extension LAContext: KeychainContextSource {
    package func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext {
        try core.onKeychain(keychain)
    }
}

/// Waits for a reply.
private nonisolated(nonsending) func replied(
    _ ask: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
        ask { isMet, error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isMet) }
        }
    }
}
