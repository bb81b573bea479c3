package import AccessPolicy
package import KeyKit
internal import SodiumKit

/// The result of an operation with a private key whose use was granted.
package enum KeyOutcome: ~Copyable, Sendable {
    case done(KeyOutput)
    /// The input does not fit the key, or the operation failed on it.
    case failed(KeyError)

    init(of operation: KeyOperation, with secret: consuming SecureBytes?) {
        do throws(KeyError) {
            guard let bytes = consume secret else { throw .malformed(.point) }
            self = .done(try PrivateKey(trusted: bytes, .ec).perform(operation))
        } catch {
            self = .failed(error)
        }
    }
}

extension KeyOperation {
    /// The action that a decision is about. Decrypting agrees on a secret with the sender's ephemeral key.
    package var action: Action {
        switch self {
        case .sign: .sign
        case .decrypt, .agree: .agree
        }
    }
}
