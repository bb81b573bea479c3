internal import AccessPolicy
internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import PlainText
internal import SSHProtocol
internal import SecretVault
internal import SodiumKit
internal import Synchronization

// Generating, importing, listing and deleting private keys. A private key is an item of Apple's class for keys, with its
// name as the label. A key in the enclave tells its public half by itself. Any other has a second item for that, which
// every caller may read.

extension Visit {
    func generateKey(
        _ name: String, _ type: GeneratedKeyType, inEnclave: Bool, _ policy: ItemPolicy, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
        if inEnclave && type != .p256 {
            throw AgentError(.request, "the enclave has only keys of the type p256, and no \(type.rawValue)")
        }
        try addKey(name) { () throws(AgentError) in
            if inEnclave { return try generateInEnclave(name, policy, asked) }
            let key: PrivateKey
            do throws(KeyError) { key = try PrivateKey.generate(type.type) } catch { throw AgentError(.key(error)) }
            try store(Self.bytes(of: key), of: key.publicKey, as: name, policy, asked)
        }
        return try key(name)
    }

    func importKey(
        _ name: String, _ family: KeyFamily, _ policy: ItemPolicy, _ secret: consuming SecureBytes?,
        _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
        let bytes = try Self.orEmpty(secret)
        try addKey(name) { () throws(AgentError) in
            let key: PrivateKey
            do throws(KeyError) {
                let read = try PrivateKey(externalRepresentation: bytes, family)
                guard read.type.isStrong else { throw .unsupportedType }
                key = read
            } catch { throw AgentError(.key(error)) }
            try store(Self.bytes(of: key), of: key.publicKey, as: name, policy, asked)
        }
        return try key(name)
    }

    /// Calls `body` to add a key with a new name. A vault lets several keys have one label, so the name is checked here.
    func addKey(_ name: String, _ body: () throws(AgentError) -> Void) throws(AgentError) {
        try Self.require(name)
        let isFirst = agent.namesOfNewKeys.withLock { $0.insert(name).inserted }
        defer { if isFirst { agent.namesOfNewKeys.withLock { _ = $0.remove(name) } } }
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

    private func generateInEnclave(
        _ name: String, _ policy: ItemPolicy, _ asked: AskedRequest
    ) throws(AgentError) {
        var policy = policy
        policy.flags.insert(.privateKeyUsage)
        let attributes = Attributes([.label: .string(name), .applicationTag: .string(name)])
        var item = NewItem(.key, attributes, try policy.control())
        item.allowsReuse = policy.allowsReuse
        let (context, interaction) = try context(asked)
        _ = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.generateKey(item, by: requester, in: context, interaction: interaction)
        }
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
            try agent.keychain.add(
                privateItem, secret: privateBytes, by: requester, in: context,
                interaction: interaction)
        } catch {
            _ = try? agent.keychain.delete(.id(publicItem), by: requester)
            throw AgentError(error)
        }
    }

    private static func copy(_ bytes: [UInt8]) throws(AgentError) -> SecureBytes {
        do { return try SecureBytes(copying: bytes.span.bytes) } catch { throw AgentError(.vault, "\(error)") }
    }

    private static func bytes(of key: borrowing PrivateKey) throws(AgentError) -> SecureBytes {
        do throws(KeyError) { return try key.externalRepresentation() } catch { throw AgentError(.key(error)) }
    }

    // MARK: - Finding

    /// Returns the items of a key: its private half, or its public one.
    private func keyItems(_ name: String, isPrivate: Bool) throws(AgentError) -> [StoredItem] {
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
    private func publicItem(of stored: StoredItem) throws(AgentError) -> StoredItem? {
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

    /// Returns the entry of a key, and its public half as a SubjectPublicKeyInfo.
    func key(_ name: String) throws(AgentError) -> Answer<RawReply> {
        let stored = try privateKey(name)
        let entry = KeyEntry(stored, certificate: try certificate(of: stored).map { Entry($0).name })
        let publicKey = try publicKey(of: stored)
        return Answer(
            Head([
                "key": .object(entry.head.fields),
                "public": .string(Hexadecimal.text(publicKey.subjectPublicKeyInfo)),
            ]))
    }

    func keys() throws(AgentError) -> Answer<RawReply> {
        var certificates: [[UInt8]: String] = [:]
        _ = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(of: ItemQuery(.certificate), by: requester) { stored in
                certificates[stored.description.attributes.bytes(.publicKeyHash)] = Entry(stored).name
            }
        }
        var entries: [KeyEntry] = []
        let (locked, damaged) = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(of: ItemQuery(.key, Attributes([.keyClass: .number(1)])), by: requester) { stored in
                let hash = stored.description.attributes.bytes(.applicationLabel)
                entries.append(KeyEntry(stored, certificate: certificates[hash]))
            }
        }
        entries.sort { $0.name < $1.name }
        try send(entries.map(\.head.text), as: "items")
        return Answer(
            Head([
                "count": .number("\(entries.count)"), "locked": .number("\(locked)"), "damaged": .number("\(damaged)"),
            ]))
    }

    func removeKey(_ name: String, _ asked: AskedRequest) throws(AgentError) {
        let (context, interaction) = try context(asked)
        let stored = try privateKey(name)
        // Without its public half, the key may stay on the list of SSH clients. It is of no use there.
        let blob = (try? publicKey(of: stored)).map { SSHPublicKey($0).blob }
        var former = [stored]
        if let half = try publicItem(of: stored) { former.append(half) }
        // Another name may have the same key.
        let hash = AttributeValue.data(stored.description.attributes.bytes(.applicationLabel))
        if try items(ItemQuery(.key, Attributes([.applicationLabel: hash, .keyClass: .number(1)]))).count == 1 {
            former += try items(ItemQuery(.certificate, Attributes([.publicKeyHash: hash])))
        }
        for item in former {
            try onKeychain { (keychain) throws(KeychainError) in
                try keychain.delete(.id(item.id), by: requester, in: context, interaction: interaction)
            }
        }
        if let blob { _ = try? agent.sshKeys.remove { $0.blob == blob } }
    }
}
