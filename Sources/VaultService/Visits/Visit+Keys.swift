internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import SSHProtocol
internal import SecretVault
internal import SodiumKit

// Finding private keys. Nothing of this prompts.

extension Visit {
    /// Returns the items of a key: its private half, or its public one.
    func keyItems(_ name: String, isPrivate: Bool) throws(AgentError) -> [StoredItem] {
        try items(ItemQuery(.key, Attributes([.label: .string(name), .keyClass: .number(isPrivate ? 1 : 0)])))
    }

    /// Returns the items that match a query. It never prompts.
    func items(_ query: ItemQuery) throws(AgentError) -> [StoredItem] {
        try onKeychain { (keychain) throws(KeychainError) in try keychain.lookUp(query, by: requester) }
    }

    /// Returns the private key of a name, or else of a fingerprint. It never prompts.
    ///
    /// Two keys can have one name: a backup brings back a key whose name was given to another since. Then only the
    /// fingerprint says which of them is meant.
    func privateKey(_ name: String) throws(AgentError) -> StoredItem {
        var keys = try keyItems(name, isPrivate: true)
        if keys.isEmpty, let fingerprint = Hexadecimal.bytes(name), !fingerprint.isEmpty {
            keys = try items(
                ItemQuery(.key, Attributes([.applicationLabel: .data(fingerprint), .keyClass: .number(1)])))
        }
        guard let key = keys.first else {
            throw AgentError(.notFound, "no key \(name): run `latchkey key list` to see the names")
        }
        guard keys.count == 1 else {
            throw AgentError(
                .request,
                "\(keys.count) keys are called \(name): run `latchkey key list`, and type the fingerprint of one instead "
                    + "of its name, or its name instead of the fingerprint")
        }
        return key
    }

    /// Returns the public half of a private key outside the enclave, as an item.
    func publicItem(of stored: StoredItem) throws(AgentError) -> StoredItem? {
        let hash = AttributeValue.data(stored.description.attributes.bytes(.applicationLabel))
        let half = Attributes([.label: .string(Entry(stored).name), .applicationLabel: hash, .keyClass: .number(0)])
        return try items(ItemQuery(.key, half)).first
    }

    func publicKey(of stored: StoredItem) throws(AgentError) -> PublicKey {
        if let key = EnclaveKey(stored) { return key.publicKey }
        let attributes = stored.description.attributes
        let name = Entry(stored).name
        if let half = try publicItem(of: stored), let family = attributes.keyType?.family {
            let bytes = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.read(.id(half.id), by: requester)
            }
            if let bytes, let key = bytes.withBytes({ try? PublicKey(externalRepresentation: $0, family) }) {
                return key
            }
        }
        throw AgentError(.damaged, "the public half of \(name) is missing: delete the key, and import it again")
    }

    /// Returns the public half of a private key, as SSH has it.
    func loginKey(of stored: StoredItem) throws(AgentError) -> SSHPublicKey {
        SSHPublicKey(try publicKey(of: stored))
    }

    /// Returns the entry of a key, and its public half.
    func key(_ name: String) throws(AgentError) -> KeyReply {
        let stored = try privateKey(name)
        let entry = KeyEntry(stored, certificate: try certificate(of: stored).map { Entry($0).name })
        return KeyReply(entry, publicKey: try publicKey(of: stored).subjectPublicKeyInfo)
    }

    /// Returns the certificate of a stored key as an item; nil if the key has none.
    func certificate(of stored: StoredItem) throws(AgentError) -> StoredItem? {
        let hash = AttributeValue.data(stored.description.attributes.bytes(.applicationLabel))
        return try items(ItemQuery(.certificate, Attributes([.publicKeyHash: hash]))).first
    }
}
