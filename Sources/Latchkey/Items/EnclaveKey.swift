public import KeyKit
public import SecretVault

/// A reference to a private key in the enclave of a device. The private half never leaves the vault: see
/// ``Keychain/perform(_:with:by:in:interaction:)``.
public struct EnclaveKey: Hashable, Sendable {
    /// The places of a private key.
    public enum Place: Hashable, Sendable {
        /// The vault stores it, as this item.
        case item(ItemIdentifier)
        /// A program keeps it, sealed by the vault.
        case sealed(SealedKey)
    }

    /// The public half.
    public let publicKey: PublicKey
    /// The place of the private half.
    public let place: Place

    /// The private half, as the vault finds it.
    var reference: ItemReference {
        switch place {
        case .item(let id): .id(id)
        case .sealed(let key): .sealed(key)
        }
    }
}

extension SealedKey {
    /// The reference to this key.
    public var reference: EnclaveKey { EnclaveKey(publicKey: publicKey, place: .sealed(self)) }
}
