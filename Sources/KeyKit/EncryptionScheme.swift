/// The two forms of key agreement on a curve. As KeyKit's curves have a cofactor of one, both give the same result; the
/// names are Apple's.
public enum AgreementForm: CaseIterable, Hashable, Sendable {
    /// Elliptic-curve Diffie-Hellman.
    case standard
    /// Elliptic-curve Diffie-Hellman, multiplied with the cofactor.
    case cofactor
}

/// The sources of the initialization vector in ECIES.
public enum InitializationVector: CaseIterable, Hashable, Sendable {
    /// Sixteen zero bytes. The key is fresh for each message.
    case zero
    /// Sixteen bytes from the key derivation, which Apple calls a variable IV.
    case derived
}

/// The encryption schemes. Each has one of Apple's names in `SecKeyAlgorithm`.
public enum EncryptionScheme: Hashable, Sendable {
    /// ECIES as Apple defines it: an ephemeral key on the same curve, the X9.63 key derivation with this hash
    /// function, and AES-GCM with a vector of sixteen bytes. The result is the ephemeral point, the ciphertext and a
    /// tag of sixteen bytes.
    case ecies(AgreementForm, HashAlgorithm, InitializationVector)
    /// The bare RSA operation. The message is a number below the modulus; a shorter one has zeros in front, and
    /// decrypting returns as many bytes as the modulus has. Use it only to build a padding scheme elsewhere.
    case rsaRaw
    /// RSA with PKCS#1 v1.5 padding.
    case rsaPKCS1
    /// RSA-OAEP without a label. The mask uses the same hash function.
    case rsaOAEP(HashAlgorithm)
    /// RSA-OAEP of a random AES key, then the message in AES-GCM with a zero vector of sixteen bytes and the public
    /// key's external representation as additional data, then a tag of sixteen bytes.
    case rsaOAEPAESGCM(HashAlgorithm)

    /// Every scheme.
    public static let all: [EncryptionScheme] = {
        var all: [EncryptionScheme] = [.rsaRaw, .rsaPKCS1]
        for hash in HashAlgorithm.allCases {
            for form in AgreementForm.allCases {
                all += InitializationVector.allCases.map { .ecies(form, hash, $0) }
            }
            all += [.rsaOAEP(hash), .rsaOAEPAESGCM(hash)]
        }
        return all
    }()

    /// The family of keys that the scheme uses.
    public var family: KeyFamily {
        switch self {
        case .ecies: .ec
        case .rsaRaw, .rsaPKCS1, .rsaOAEP, .rsaOAEPAESGCM: .rsa
        }
    }

    /// Returns the size of the longest message that a key of this type encrypts; nil if the scheme has no such limit.
    public func longestMessage(for type: KeyType) -> Int? {
        switch self {
        case .ecies, .rsaOAEPAESGCM: nil
        case .rsaRaw: type.blockCount
        case .rsaPKCS1: type.blockCount - 11
        case .rsaOAEP(let hash): type.blockCount - 2 * hash.digestCount - 2
        }
    }
}

/// The parameters of ECIES on which both sides have to agree. Other schemes do not use them.
public struct EncryptionParameters: Hashable, Sendable {
    /// Bytes that become part of the key derivation, after the ephemeral point.
    public var sharedInfo: [UInt8]
    /// Bytes that the tag also protects.
    public var additionalData: [UInt8]
    /// The size of the AES key in bytes: 16, 24 or 32. If it is nil, the curve determines it: 16 for P-256, and 32 for
    /// larger ones.
    public var keyCount: Int?

    /// Creates parameters. Without arguments, they are Apple's defaults.
    public init(sharedInfo: [UInt8] = [], additionalData: [UInt8] = [], keyCount: Int? = nil) {
        self.sharedInfo = sharedInfo
        self.additionalData = additionalData
        self.keyCount = keyCount
    }
}
