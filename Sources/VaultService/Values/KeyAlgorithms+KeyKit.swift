package import AgentProtocol
package import KeyKit

extension GeneratedKeyType {
    package var type: KeyType {
        switch self {
        case .p256: .ec(.p256)
        case .p384: .ec(.p384)
        case .p521: .ec(.p521)
        case .rsa2048: .rsa(bits: 2048)
        case .rsa3072: .rsa(bits: 3072)
        case .rsa4096: .rsa(bits: 4096)
        case .ed25519: .ed25519
        }
    }
}

extension KeyFamilyName {
    package init(_ family: KeyFamily) {
        switch family {
        case .ec: self = .ec
        case .rsa: self = .rsa
        case .ed25519: self = .ed25519
        }
    }

    package var family: KeyFamily {
        switch self {
        case .ec: .ec
        case .rsa: .rsa
        case .ed25519: .ed25519
        }
    }
}

extension KeyType {
    /// The name of the type on the wire and on the command line, such as p256 or rsa2048.
    package var word: String {
        switch self {
        case .ec(.p256): "p256"
        case .ec(.p384): "p384"
        case .ec(.p521): "p521"
        case .rsa(let bits): "rsa\(bits)"
        case .ed25519: "ed25519"
        }
    }
}

extension SignatureAlgorithm {
    /// The algorithm for keys of a family, unless another is named.
    package static func usual(for family: KeyFamily) -> SignatureAlgorithm {
        switch family {
        case .ec: .ecdsaSHA256
        case .rsa: .rsaPKCS1SHA256
        case .ed25519: .ed25519
        }
    }

    /// The hash function; nil if the algorithm signs the message itself.
    package var hash: HashAlgorithm? { scheme(isRaw: false).hashing?.hash }

    /// The family of the keys that the algorithm is for.
    package var family: KeyFamily { scheme(isRaw: false).family }

    /// Returns the scheme for a digest, or for a message if the algorithm takes that.
    ///
    /// - Parameter isRaw: True if an ECDSA signature is r and s, each as long as a coordinate, instead of DER.
    package func scheme(isRaw: Bool) -> SignatureScheme {
        switch self {
        case .ecdsaSHA256: .ecdsa(isRaw ? .rfc4754 : .x962, .sha256, .digest)
        case .ecdsaSHA384: .ecdsa(isRaw ? .rfc4754 : .x962, .sha384, .digest)
        case .ecdsaSHA512: .ecdsa(isRaw ? .rfc4754 : .x962, .sha512, .digest)
        case .rsaPKCS1SHA256: .rsaPKCS1(.sha256, .digest)
        case .rsaPKCS1SHA384: .rsaPKCS1(.sha384, .digest)
        case .rsaPKCS1SHA512: .rsaPKCS1(.sha512, .digest)
        case .rsaPSSSHA256: .rsaPSS(.sha256, .digest)
        case .rsaPSSSHA384: .rsaPSS(.sha384, .digest)
        case .rsaPSSSHA512: .rsaPSS(.sha512, .digest)
        case .ed25519: .ed25519
        }
    }
}

extension EncryptionAlgorithm {
    /// The algorithm for keys of a family, unless another is named; nil for keys that only sign.
    package static func usual(for family: KeyFamily) -> EncryptionAlgorithm? {
        switch family {
        case .ec: .eciesSHA256
        case .rsa: .rsaOAEPSHA256
        case .ed25519: nil
        }
    }

    /// The family of the keys that the algorithm is for.
    package var family: KeyFamily { scheme.family }

    package var scheme: EncryptionScheme {
        switch self {
        case .eciesSHA256: .ecies(.cofactor, .sha256, .derived)
        case .eciesSHA384: .ecies(.cofactor, .sha384, .derived)
        case .eciesSHA512: .ecies(.cofactor, .sha512, .derived)
        case .rsaOAEPSHA1: .rsaOAEP(.sha1)
        case .rsaOAEPSHA256: .rsaOAEP(.sha256)
        case .rsaOAEPSHA384: .rsaOAEP(.sha384)
        case .rsaOAEPSHA512: .rsaOAEP(.sha512)
        case .rsaOAEPAESSHA256: .rsaOAEPAESGCM(.sha256)
        }
    }
}
