internal import AccessPolicy
internal import AgentProtocol
internal import CardKit
internal import KeyKit
internal import Latchkey
internal import PlainText
internal import SecretVault
internal import SodiumKit

// Using private keys, under their access policies. A key in the enclave is used inside the vault. The bytes of any other
// are read as a secret is, used here, and wiped: no client ever gets them. For a key on a card these are its place and its PIN.

extension Visit {
    func sign(
        _ name: String, _ digest: String, _ algorithm: SignatureAlgorithm, isRaw: Bool,
        _ message: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
        let scheme = algorithm.scheme(isRaw: isRaw)
        let message = try Self.orEmpty(message)
        guard let digest = Hexadecimal.bytes(digest) else {
            throw AgentError(.request, "\"digest\" is a text of hexadecimal digits, two for each byte")
        }
        let stored = try privateKey(name, of: scheme.family)
        var input = digest
        if let count = algorithm.hash?.digestCount {
            if digest.count != count {
                throw AgentError(.key(.wrongDigestLength(expected: count, actual: digest.count)))
            }
            guard message.count == 0 else {
                throw AgentError(.request, "\(algorithm.rawValue) signs a digest, and no message beside it")
            }
        } else {
            guard digest.isEmpty else {
                throw AgentError(.request, "\(algorithm.rawValue) signs a message, and no digest of it")
            }
            input = message.withBytes { $0.withUnsafeBytes { Array($0) } }  // A message to sign is no secret.
        }
        switch try use(stored, .sign(input, scheme), asked) {
        case .signature(let signature): return Answer(Head(["signature": .string(Hexadecimal.text(signature))]))
        case .secret: throw AgentError(.agent, "the key \(name) gave no signature")
        }
    }

    func decrypt(
        _ name: String, _ box: consuming SecureBytes?, _ scheme: EncryptionScheme, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<NoReply> {
        let box = try Self.orEmpty(box)
        let stored = try privateKey(name, of: scheme.family)
        let bytes = box.withBytes { $0.withUnsafeBytes { Array($0) } }  // A message that is encrypted is no secret.
        switch try use(stored, .decrypt(bytes, scheme, EncryptionParameters()), asked) {
        case .signature: throw AgentError(.agent, "the key \(name) gave no message")
        case .secret(let message): return try answer(message)
        }
    }

    /// Returns the private key of a name, which has to be of this family. It never prompts, so that no user
    /// authenticates for an operation that cannot be done.
    private func privateKey(_ name: String, of family: KeyFamily) throws(AgentError) -> StoredItem {
        let stored = try privateKey(name)
        guard let type = stored.description.attributes.keyType else { throw AgentError(.key(.unsupportedType)) }
        guard type.family == family else { throw AgentError(.key(.unsupportedScheme(type))) }
        return stored
    }

    private func use(
        _ stored: StoredItem, _ operation: KeyOperation, _ asked: AskedRequest
    ) throws(AgentError) -> KeyOutput {
        let key = EnclaveKey(stored)
        let card = stored.description.attributes.card
        // No prompt for what no card does.
        if card != nil { try CardKeys.check(operation) }
        let action = key == nil ? Action.readData : operation.action
        let keychain = agent.keychain
        if let key {
            return try perform(action, on: .id(stored.id), asked) {
                (_, requester, context, interaction) throws(KeychainError) in
                try keychain.perform(operation, with: key, by: requester, in: context, interaction: interaction)
            }
        }
        let locks = agent.locks
        let wasUnlocked = keychain.isUnlocked
        let bytes = try perform(action, on: .id(stored.id), asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.read(item, by: requester, in: context, interaction: interaction)
        }
        guard let bytes, let family = stored.description.attributes.keyType?.family else {
            throw AgentError(.key(.unsupportedType))
        }
        if card != nil {
            let isOpen = wasUnlocked || keychain.isUnlocked
            return try agent.cards.perform(operation, with: CardKeySecret.read(bytes), publicKey(of: stored)) {
                obstacle(sinceLock: locks, wasUnlocked: isOpen)
            }
        }
        do throws(KeyError) {
            return try PrivateKey(trusted: bytes, family).perform(operation)
        } catch { throw AgentError(.key(error)) }
    }

    // MARK: - Certificates

    /// Returns the certificate of a stored key as an item; nil if the key has none.
    func certificate(of stored: StoredItem) throws(AgentError) -> StoredItem? {
        let hash = AttributeValue.data(stored.description.attributes.bytes(.applicationLabel))
        return try items(ItemQuery(.certificate, Attributes([.publicKeyHash: hash]))).first
    }

    func certificate(_ name: String) throws(AgentError) -> Answer<NoReply> {
        guard let id = try certificate(of: privateKey(name))?.id else {
            throw AgentError(
                .notFound, "the key \(name) has no certificate: store one with `latchkey key certificate \(name) FILE`")
        }
        let bytes = try onKeychain { (keychain) throws(KeychainError) in try keychain.read(.id(id), by: requester) }
        guard let bytes else { throw AgentError(.damaged, "the certificate of \(name) is empty: store it again") }
        return try answer(bytes)
    }

    func setCertificate(
        _ name: String, _ bytes: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) {
        let bytes = try Self.orEmpty(bytes)
        let stored = try privateKey(name)
        let (certificate, attributes): (Certificate, Attributes)
        do throws(KeyError) {
            certificate = try bytes.withBytes { (bytes) throws(KeyError) in try Certificate(der: bytes) }
            attributes = try Attributes(of: certificate, named: certificate.summary ?? name)
        } catch { throw AgentError(.key(error)) }
        let hash = stored.description.attributes.bytes(.applicationLabel)
        guard attributes.bytes(.publicKeyHash) == hash else {
            throw AgentError(
                .request,
                "the certificate is for another key than \(name): its public key has the fingerprint "
                    + "\(Hexadecimal.text(attributes.bytes(.publicKeyHash))), and \(name) has \(Hexadecimal.text(hash))"
            )
        }
        let former = try items(ItemQuery(.certificate, Attributes([.publicKeyHash: .data(hash)])))
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            _ = try agent.keychain.exchange(
                former.map { .id($0.id) }, for: NewItem(.certificate, attributes), secret: bytes, by: requester,
                in: context, interaction: interaction)
        } catch {
            guard error.rule == .itemDuplicate else { throw AgentError(error) }
            throw AgentError(
                .exists,
                "a certificate with the same issuer and serial number is stored for another key: "
                    + "run `latchkey key list` to see which, and delete that key or get another certificate")
        }
    }
}
