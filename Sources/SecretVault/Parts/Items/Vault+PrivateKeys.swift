package import AccessPolicy
internal import DeviceModel
package import KeyKit
internal import SodiumKit

// The private half of a key leaves its wrap for one operation: the bytes are opened, used and wiped in here, and only the
// result goes out.

extension Vault {
    /// Generates a private key on P-256 and stores it. Nothing reads it; ``use(_:_:for:in:)`` uses it.
    ///
    /// - Parameter describe: Returns the item for a public key. The vault stores it as a private key.
    package func generateKey(
        for caller: Caller, in context: VaultContext? = nil, describing describe: (PublicKey) -> ItemDescription
    ) throws(VaultError) -> Reply<GeneratedKey> {
        let key = try Self.generate()
        let publicKey = key.publicKey
        var item = describe(publicKey)
        item.isKey = true
        let reply = try key.withExternalRepresentation { (bytes) throws(VaultError) in
            try store(item, bytes, for: caller, in: context)
        }
        return switch consume reply {
        case .granted(let id): .granted(GeneratedKey(id: id, publicKey: publicKey))
        case .challenge(let challenge): .challenge(challenge)
        case .denied(let denial): .denied(denial)
        }
    }

    /// Generates a private key on P-256 and returns it sealed. The vault does not store it.
    package func generateSealedKey(
        under control: AccessControl, isCompact: Bool = false, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SealedKey> {
        let key = try Self.generate(isCompact: isCompact)
        let publicKey = key.publicKey
        let item = ItemDescription(.key, SealedKey.attributes(publicKey), control, group: "", isKey: true)
        return try run(in: context) { vault, state in
            try key.withExternalRepresentation { bytes in
                try vault.changing { vault in
                    try vault.authorizeStoring(item, isApart: true, for: caller, in: state)
                    let sealed = try vault.sealing(
                        item, .random(), binding: vault.device.conditions().binding, created: 0, modified: 0,
                        secret: bytes, in: state)
                    return SealedKey(publicKey, sealed, vault.store.fixed)
                }
            }
        }
    }

    private static func generate(isCompact: Bool = false) throws(VaultError) -> PrivateKey {
        do throws(KeyError) { return try PrivateKey.generate(.ec(.p256), isCompact: isCompact) } catch {
            throw .key(error)
        }
    }

    /// Carries out an operation with the private key of an item, if the policy grants it.
    package func use(
        _ item: ItemReference, _ operation: KeyOperation, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<KeyOutcome> {
        try use(item, to: operation.action, operation, for: caller, in: context)
    }

    /// Carries out an operation with the private key of an item, if the policy grants `action`, which has to be one
    /// that uses a private key.
    package func use(
        _ item: ItemReference, to action: Action, _ operation: KeyOperation, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<KeyOutcome> {
        guard action.usesKey, action.usesSecret else { return .denied(Denial(.operationWithoutEntry)) }
        return try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                switch try vault.release(action, item, for: caller.released, in: state) {
                case .granted(var released): .granted(KeyOutcome(of: operation, with: released.bytes.take()))
                case .challenge(let challenge): .challenge(challenge)
                case .denied(let denial): .denied(denial)
                }
            }
        }
    }

    /// Returns true if this vault sealed the key and its bytes were not changed.
    package func isOwn(_ key: SealedKey) throws(VaultError) -> Bool {
        do throws(VaultError) {
            return try run { try $0.withRecord(.sealed(key)) { _, _ in } } != nil
        } catch .key {
            return false
        }
    }
}

/// A key that a vault has generated and stored.
package struct GeneratedKey: Sendable {
    package let id: ItemIdentifier
    package let publicKey: PublicKey
}
