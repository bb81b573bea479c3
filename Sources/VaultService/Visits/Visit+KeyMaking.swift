internal import AccessPolicy
internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit
internal import Synchronization

// Adding private keys. A private key is an item of Apple's class for keys, with its name as the label. A key in the enclave tells
// its public half by itself. Any other has a second item for that, which every caller may read.

extension Visit {
    /// Calls `body` to add a key with a new name. A vault lets several keys have one label, so the name is checked here.
    func addKey(_ name: String, _ body: () throws(AgentError) -> Void) throws(AgentError) {
        try Self.require(name)
        let isFirst = service.namesOfNewKeys.withLock { $0.insert(name).inserted }
        defer { if isFirst { service.namesOfNewKeys.withLock { _ = $0.remove(name) } } }
        let present = try keyItems(name, isPrivate: true)
        guard isFirst && present.isEmpty else {
            throw AgentError(
                .exists,
                "there is a key \(name) already: delete it with `latchkey key rm`, or choose another name")
        }
        // An invalidated key is deleted without its public half.
        for former in try keyItems(name, isPrivate: false) {
            try onKeychain { (keychain) throws(KeychainError) in try keychain.delete(.id(former.id), by: requester) }
        }
        try body()
    }

    /// Stores a private key outside the enclave: its bytes, or those that lead to it on a card, and its public half.
    func store(
        _ privateBytes: consuming SecureBytes, of publicKey: PublicKey, onCard card: String? = nil, as name: String,
        _ policy: ItemPolicy, _ asked: AskedRequest
    ) throws(AgentError) {
        var policy = policy
        // This flag is for keys in the enclave. Reading the bytes of any other would be denied.
        policy.flags.remove(.privateKeyUsage)
        let control = try policy.control()
        let (open, guarded): (Attributes, Attributes)
        do throws(KeyError) {
            open = try Attributes(ofKey: publicKey, named: name, isPrivate: false)
            guarded = try Attributes(ofKey: publicKey, named: name, isPrivate: true, onCard: card)
        } catch { throw AgentError(.key(error)) }
        let publicBytes = try Self.copy(publicKey.externalRepresentation)
        let (context, interaction) = try context(asked)
        var privateItem = NewItem(.key, guarded, control)
        privateItem.allowsReuse = policy.allowsReuse
        let publicItem = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.add(
                NewItem(.key, open, AccessControl(policy.protection)), secret: publicBytes, by: requester)
        }
        do throws(KeychainError) {
            try service.keychain.add(
                privateItem, secret: privateBytes, by: requester, in: context,
                interaction: interaction)
        } catch {
            _ = try? service.keychain.delete(.id(publicItem), by: requester)
            throw AgentError(error)
        }
    }

    /// The bytes of a key that was made or read, in Apple's external representation.
    static func bytes(of key: borrowing PrivateKey) throws(AgentError) -> SecureBytes {
        do throws(KeyError) { return try key.externalRepresentation() } catch { throw AgentError(.key(error)) }
    }

    private static func copy(_ bytes: [UInt8]) throws(AgentError) -> SecureBytes {
        do { return try SecureBytes(copying: bytes.span.bytes) } catch { throw AgentError(.vault, "\(error)") }
    }
}
