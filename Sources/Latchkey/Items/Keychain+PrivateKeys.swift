public import AccessPolicy
public import KeyKit
public import SecretVault

// Private keys of the enclave: on P-256, generated and never imported, used and never read.

extension Keychain {
    /// Generates a private key in the enclave and stores it as an item.
    ///
    /// `item` is of the class of keys, with the app's own attributes, such as a label or a tag. The attributes that follow
    /// from the key are set, except for an application label that the app has chosen.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if a rule denies storing it; ``KeychainError/request(_:)`` if the item
    ///   makes no sense.
    public func generateKey(
        _ item: NewItem, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> EnclaveKey {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let described = try describe(item, &call)
        let generated = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.generateKey(for: caller, in: vaultContext) { key in
                var described = described
                // The app's label wins over the hash of the key, and is part of what makes the item unique.
                let label = described.attributes[.applicationLabel]
                described.attributes.values.merge(Attributes(ofEnclaveKey: key).values) { $1 }
                if let label { described.attributes[.applicationLabel] = label }
                return described
            }
        }
        return EnclaveKey(publicKey: generated.publicKey, place: .item(generated.id))
    }

    /// Generates a private key in the enclave and returns it sealed, for the program to keep. Only this device can use
    /// it, under the access policy `control`. With `isCompact`, the public half has a compact point.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if a rule denies it.
    public func generateKey(
        under control: AccessControl, isCompact: Bool = false, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> EnclaveKey {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.stores = true
        let key = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.generateSealedKey(under: control, isCompact: isCompact, for: caller, in: vaultContext)
        }
        return key.reference
    }

    /// Returns the private key of an item; nil if the item has none in the enclave. It never prompts.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist or its class is locked.
    public func enclaveKey(
        _ item: ItemIdentifier, by requester: Requester? = nil
    ) throws(KeychainError) -> EnclaveKey? {
        try EnclaveKey(inventory(.id(item), by: requester))
    }

    /// Returns the private key in these bytes, which are those of a sealed key. It never prompts.
    ///
    /// - Throws: ``KeychainError/key(_:)`` if this device did not seal the key, or the bytes were changed.
    public func enclaveKey(sealed bytes: [UInt8]) throws(KeychainError) -> EnclaveKey {
        let key: SealedKey
        do { key = try SealedKey(bytes) } catch { throw .key(error) }
        guard try onVault(vault.isOwn(key)) else {
            throw .key(.malformed(.sealedKey))
        }
        return key.reference
    }

    /// Carries out an operation with a private key, prompting for the missing factors. The vault opens the key, uses it
    /// once and wipes it.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the key does not exist or its policy is not satisfied;
    ///   ``KeychainError/key(_:)`` if the operation fails on its input.
    public func perform(
        _ operation: KeyOperation, with key: EnclaveKey, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> KeyOutput {
        try useKey(key.reference, to: operation.action, operation, by: requester, in: context, interaction: interaction)
    }

    /// Carries out an operation with the private key of an item, as `action`, which has to be one that uses a private
    /// key.
    package func useKey(
        _ item: ItemReference, to action: Action, _ operation: KeyOperation, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> KeyOutput {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.item = item
        let outcome = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.use(item, to: action, operation, for: caller, in: vaultContext)
        }
        switch consume outcome {
        case .done(let output): return output
        case .failed(let error): throw .key(error)
        }
    }
}

extension EnclaveKey {
    /// Creates the reference to the key of a stored item; nil if the item has none in the enclave.
    package init?(_ stored: StoredItem) {
        guard stored.description.isKey, case .data(let bytes) = stored.description.attributes[Attributes.tokenKey],
            let publicKey = try? PublicKey(externalRepresentation: bytes.span.bytes, .ec)
        else { return nil }
        self.init(publicKey: publicKey, place: .item(stored.id))
    }
}

extension Attributes {
    /// The attribute that holds the public half of a key in the enclave. Apps see it and cannot set it.
    package static let tokenKey = "toid"

    /// Creates the attributes that follow from a key in the enclave.
    fileprivate init(ofEnclaveKey key: PublicKey) {
        self.init([
            .keyClass: .number(1), .type: .number(73), .keySizeInBits: .number(256), .effectiveKeySize: .number(256),
            .tokenID: .string("com.apple.setoken"),
        ])
        self[Self.tokenKey] = .data(key.externalRepresentation)
        // Apps find a key by the hash of its public half, unless the app has chosen another label.
        if let label = try? key.fingerprint { self[.applicationLabel] = .data(label) }
    }
}
