internal import AccessPolicy
internal import DeviceModel
internal import KeyKit
internal import SodiumKit

// The private half of a key leaves its wrap for one operation: the bytes are opened, used and wiped in here, and only the
// result goes out.

extension VaultState {
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
