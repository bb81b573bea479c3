internal import AccessPolicy
internal import AgentProtocol
internal import KeyKit
internal import Latchkey
internal import PlainText
internal import SecretVault

// The attributes of keys and certificates in the vault, under Apple's names.

extension Attributes {
    /// The numbers that Apple has for the two families.
    private static func number(of family: KeyFamily) -> Int64 {
        switch family {
        case .ec: 73
        case .rsa: 42
        case .ed25519: 105
        }
    }

    /// The beginning of the token of a key on a smart card, before the name of the card. Apple's keychain has the names of its
    /// tokens there as well.
    private static let cardToken = "latchkey.card:"

    /// Creates the attributes of a key outside the enclave, which may be on a card. The tag lets one key be stored under
    /// several names.
    init(ofKey key: PublicKey, named name: String, isPrivate: Bool, onCard card: String? = nil) throws(KeyError) {
        let size = Int64(key.type.bits)
        self.init([
            .label: .string(name), .applicationTag: .string(name), .keyClass: .number(isPrivate ? 1 : 0),
            .applicationLabel: .data(try key.fingerprint), .type: .number(Self.number(of: key.type.family)),
            .keySizeInBits: .number(size), .effectiveKeySize: .number(size),
        ])
        if let card { self[.tokenID] = .string(Self.cardToken + card) }
    }

    /// The name of the smart card that a private key is on; nil if it is on none.
    var card: String? {
        guard case .string(let token) = self[.tokenID], token.hasPrefix(Self.cardToken) else { return nil }
        return String(token.dropFirst(Self.cardToken.count))
    }

    /// Creates the attributes of a certificate. The hash of its public key leads to the private key.
    init(of certificate: Certificate, named name: String) throws(KeyError) {
        self.init([
            .label: .string(name), .certificateType: .number(Int64(certificate.version)),
            .certificateEncoding: .number(3),  // DER
            .subject: .data(certificate.subject.normalizedContent),
            .issuer: .data(certificate.issuer.normalizedContent), .serialNumber: .data(certificate.serialNumber),
            .publicKeyHash: .data(try certificate.publicKeyFingerprint),
        ])
        if let identifier = certificate.subjectKeyIdentifier { self[.subjectKeyID] = .data(identifier) }
    }

    /// The type of a key; nil if the attributes are those of no key that KeyKit supports.
    var keyType: KeyType? {
        guard case .number(let number) = self[.type], case .number(let bits) = self[.keySizeInBits] else { return nil }
        switch KeyFamily.allCases.first(where: { Self.number(of: $0) == number }) {
        case .ec: return Curve.allCases.first { $0.bits == bits }.map { .ec($0) }
        case .rsa: return .rsa(bits: Int(clamping: bits))
        case .ed25519: return .ed25519
        case nil: return nil
        }
    }

    /// The bytes of an attribute; none if it is missing.
    func bytes(_ name: AttributeName) -> [UInt8] {
        switch self[name] {
        case .data(let bytes): bytes
        case .string(let text): Array(text.utf8)
        case .number, .date, nil: []
        }
    }
}

extension KeyEntry {
    /// The number of characters of the text on a certificate. Its subject can be longer than an answer may be.
    private static let longestText = 200

    /// Creates the entry of a stored private key. `certificate` is a text on its certificate, which others chose.
    init(_ stored: StoredItem, certificate: String?) {
        let attributes = stored.description.attributes
        self.init()
        let entry = Entry(stored)
        name = entry.name
        created = entry.created
        policy = entry.policy
        // A private key in the enclave is only used, so this flag says nothing here.
        policy.flags.remove(.privateKeyUsage)
        type = attributes.keyType?.word ?? ""
        isInEnclave = EnclaveKey(stored) != nil
        card = attributes.card
        fingerprint = Hexadecimal.text(attributes.bytes(.applicationLabel))
        self.certificate = certificate.map { Terminal.line($0, longest: Self.longestText) }
    }
}
