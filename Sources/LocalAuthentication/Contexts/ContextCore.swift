internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SodiumKit
internal import Synchronization

/// The state of an `LAContext`, separate from it: apps subclass `LAContext`, and threads share this.
final class ContextCore: Sendable {
    private struct State {
        var words = KeychainContext.Wording()
        var reuse = 0.0
        var password: Secret?
        var isInvalidated = false
        /// The context on each keychain that it was used on. Authentication on one keychain does not count on another.
        var onKeychains: [KeychainContext] = []
        var biometryType = LABiometryType.none
        var domainState: Data?

        /// Forgets the contexts of closed keychains, because an `LAContext` may outlive many.
        mutating func forgetClosed() { onKeychains.removeAll { $0.isClosed } }
    }

    private let state = Mutex(State())
    /// Held while a password is stretched, so that a context made meanwhile does not miss the password. No other call
    /// waits for it, and least of all `invalidate`.
    private let settingPassword = Mutex(())

    var words: KeychainContext.Wording {
        get { state.withLock { $0.words } }
        set { state.withLock { $0.words = newValue } }
    }

    var biometryType: LABiometryType {
        get { state.withLock { $0.biometryType } }
        set { state.withLock { $0.biometryType = newValue } }
    }

    var domainState: Data? {
        get { state.withLock { $0.domainState } }
        set { state.withLock { $0.domainState = newValue } }
    }

    var reuse: Double {
        get { state.withLock { $0.reuse } }
        set {
            state.withLock { state in
                state.reuse = newValue
                for context in state.onKeychains { try? context.setReuse(Self.span(newValue)) }
            }
        }
    }

    var hasPassword: Bool { state.withLock { $0.password != nil } }

    /// Sets the application password, or with nil removes it. Returns false if the context is invalidated or the
    /// password cannot be set.
    func setPassword(_ data: Data?) -> Bool {
        settingPassword.withLock { _ in
            let contexts: [KeychainContext]? = state.withLock { state in
                state.forgetClosed()
                return state.isInvalidated ? nil : state.onKeychains
            }
            guard let contexts else { return false }
            do {
                let password = try data.map { Secret(try SecureBytes(copying: $0.bytes)) }
                for context in contexts {
                    do { try context.apply(password) } catch {
                        // A keychain may close at any moment, which is no failure of the password.
                        if !context.isClosed { throw error }
                    }
                }
                return state.withLock { state in
                    if !state.isInvalidated { state.password = password }
                    return !state.isInvalidated
                }
            } catch {
                return false
            }
        }
    }

    func invalidate() {
        let contexts = state.withLock { state in
            state.isInvalidated = true
            state.password = nil
            return state.onKeychains
        }
        for context in contexts { try? context.invalidate() }
    }

    /// Returns the context on this keychain, and makes it at the first use there.
    func onKeychain(_ keychain: Keychain) throws(KeychainError) -> KeychainContext {
        if let known = known(on: keychain) { return known }
        let made: Result<KeychainContext, KeychainError> = settingPassword.withLock { _ in
            do throws(KeychainError) { return .success(try make(on: keychain)) } catch { return .failure(error) }
        }
        return try made.get()
    }

    private func known(on keychain: Keychain) -> KeychainContext? {
        state.withLock { state in
            let known = state.onKeychains.first { $0.belongs(to: keychain) }
            known?.words = state.words
            return known
        }
    }

    /// Makes the context on this keychain, unless another thread has made it. The settings of the `LAContext` apply to
    /// it.
    private func make(on keychain: Keychain) throws(KeychainError) -> KeychainContext {
        if let known = known(on: keychain) { return known }
        let context = try keychain.makeContext()
        if let password = state.withLock({ $0.password }) { try context.apply(password) }
        let made: Result<KeychainContext, KeychainError> = state.withLock { state in
            do throws(KeychainError) {
                state.forgetClosed()
                context.words = state.words
                try context.setReuse(Self.span(state.reuse))
                if state.isInvalidated { try context.invalidate() }
                state.onKeychains.append(context)
                return .success(context)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }

    private static func span(_ seconds: Double) -> TimeSpan {
        seconds > 0 ? TimeSpan(milliseconds: Int64(min(seconds, 1e9) * 1000)) : .zero
    }
}

extension KeychainContext {
    /// Sets the application password, or with nil removes it.
    fileprivate func apply(_ password: Secret?) throws(KeychainError) {
        if let password { try setApplicationPassword(password.bytes) } else { try dropApplicationPassword() }
    }
}
