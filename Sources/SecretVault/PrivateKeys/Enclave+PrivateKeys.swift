package import AccessPolicy
internal import DeviceModel
package import KeyKit
internal import SodiumKit

// The private half of a key leaves its wrap for one operation: the bytes are opened, used and wiped in here, and only the
// result goes out.

extension Enclave {
    /// Uses the private key of an item, as `action`.
    mutating func use(
        _ reference: ItemReference, to action: Action, _ operation: KeyOperation, for caller: Caller,
        in state: ContextState
    ) throws -> Reply<KeyOutcome> {
        switch try release(action, reference, for: caller, in: state) {
        case .granted(var released): .granted(KeyOutcome(of: operation, with: released.bytes.take()))
        case .challenge(let challenge): .challenge(challenge)
        case .denied(let denial): .denied(denial)
        }
    }

    /// Decides about a new key that is kept outside the vault, and seals it.
    mutating func seal(
        _ key: borrowing PrivateKey, under control: AccessControl, for caller: Caller, in state: ContextState
    ) throws -> Reply<SealedKey> {
        let publicKey = key.publicKey
        let item = ItemDescription(.key, SealedKey.attributes(publicKey), control, group: "", isKey: true)
        return try key.withExternalRepresentation { bytes in
            try answering { enclave in
                try enclave.transaction { enclave in
                    try enclave.authorizeStoring(item, isApart: true, for: caller, in: state)
                    let sealed = try enclave.sealing(
                        item, .random(), binding: enclave.device.conditions().binding, created: 0, modified: 0,
                        secret: bytes, in: state)
                    return SealedKey(publicKey, sealed, enclave.store.fixed)
                }
            }
        }
    }
}

extension ItemSeals {
    /// Throws if a key that is kept outside the vault was sealed under a class key that the vault no longer has, as
    /// after an erasure.
    func requireOwn(_ record: RecordView) throws {
        let header = record.header
        let isOther = ring.read { contents in
            contents.keys.with(header.control.protection.keyClass) { $0.id != header.classKey }
        }
        if isOther == true { throw VaultError.key(.malformed(.sealedKey)) }
    }
}

/// The result of an operation with a private key whose use was granted.
package enum KeyOutcome: ~Copyable, Sendable {
    /// The operation was done.
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
