internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SodiumKit
internal import Synchronization

/// What an `LAContext` holds, apart from it: apps make classes of their own from that, and threads share this.
final class ContextCore: Sendable {
    private struct State: ~Copyable {
        var words = KeychainContext.Wording()
        var reuse = 0.0
        var password: SecureBytes?
        var isInvalidated = false
        /// The context on each keychain that it was used on: what is proved on one counts on no other.
        var onKeychains: [KeychainContext] = []
        var biometryType = LABiometryType.none
        var domainState: Data?

        /// Lets go of keychains that were closed: a context may outlive many.
        mutating func forgetClosed() { onKeychains.removeAll { $0.isClosed } }
    }

    private let state = Mutex(State())

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

    var hasPassword: Bool {
        state.withLock { state in
            switch state.password {
            case .some: true
            case .none: false
            }
        }
    }

    /// Sets or forgets the password of the application; false once the context was invalidated.
    func setPassword(_ data: Data?) -> Bool {
        state.withLock { state in
            if state.isInvalidated { return false }
            state.forgetClosed()
            do {
                guard let data else {
                    state.password = nil
                    for context in state.onKeychains { try context.dropApplicationPassword() }
                    return true
                }
                let password = try SecureBytes(copying: data.bytes)
                for context in state.onKeychains { try context.setApplicationPassword(password) }
                state.password = consume password
                return true
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

    /// The context on this keychain, made when it is first needed there.
    func onKeychain(_ keychain: Keychain) throws(KeychainError) -> KeychainContext {
        let made: Result<KeychainContext, KeychainError> = state.withLock { state in
            do throws(KeychainError) {
                if let known = state.onKeychains.first(where: { $0.belongs(to: keychain) }) {
                    known.words = state.words
                    return .success(known)
                }
                state.forgetClosed()
                let context = try keychain.makeContext(state.words)
                try context.setReuse(Self.span(state.reuse))
                switch state.password {
                case .some(let password): try context.setApplicationPassword(password)
                case .none: break
                }
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
