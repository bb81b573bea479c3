package import KeyKit

/// The signature schemes of SSH for keys that KeyKit supports, by their names in a signature. RSA with SHA-1 is none of
/// them.
package enum SSHSignatureScheme: String, CaseIterable, Sendable {
    case ecdsaP256 = "ecdsa-sha2-nistp256"
    case ecdsaP384 = "ecdsa-sha2-nistp384"
    case ecdsaP521 = "ecdsa-sha2-nistp521"
    case rsaSHA256 = "rsa-sha2-256"
    case rsaSHA512 = "rsa-sha2-512"
    case ed25519 = "ssh-ed25519"

    /// The scheme for the message. An ECDSA signature is r and s, each as long as a coordinate.
    package var scheme: SignatureScheme {
        switch self {
        case .ecdsaP256: .ecdsa(.rfc4754, .sha256, .message)
        case .ecdsaP384: .ecdsa(.rfc4754, .sha384, .message)
        case .ecdsaP521: .ecdsa(.rfc4754, .sha512, .message)
        case .rsaSHA256: .rsaPKCS1(.sha256, .message)
        case .rsaSHA512: .rsaPKCS1(.sha512, .message)
        case .ed25519: .ed25519
        }
    }

    /// The scheme for the digest of the message; that for the message if the key signs no digest.
    package var digestScheme: SignatureScheme {
        switch scheme {
        case .ecdsa(let encoding, let hash, _): .ecdsa(encoding, hash, .digest)
        case .rsaPKCS1(let hash, _): .rsaPKCS1(hash, .digest)
        case .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .rsaPSS, .ed25519: scheme
        }
    }

    /// The hash function of the message; nil if the key signs the message itself.
    package var hash: HashAlgorithm? { scheme.hashing?.hash }

    private static let wantsSHA256: UInt32 = 2
    /// The bit of a request for a signature that wants SHA-512.
    private static let wantsSHA512: UInt32 = 4

    /// Finds the scheme for a key and the flags of a request. Returns nil for RSA with SHA-1.
    package init?(_ type: KeyType, flags: UInt32) {
        switch type {
        case .ec(.p256): self = .ecdsaP256
        case .ec(.p384): self = .ecdsaP384
        case .ec(.p521): self = .ecdsaP521
        case .ed25519: self = .ed25519
        case .rsa:
            if flags & Self.wantsSHA512 != 0 {
                self = .rsaSHA512
            } else if flags & Self.wantsSHA256 != 0 {
                self = .rsaSHA256
            } else {
                return nil
            }
        }
    }

    /// Finds the scheme of this name for keys of a type.
    fileprivate init?(named name: String, for type: KeyType) {
        guard let found = Self(rawValue: name),
            [Self.wantsSHA256, Self.wantsSHA512].contains(where: { Self(type, flags: $0) == found })
        else { return nil }
        self = found
    }

    /// Returns the signature as SSH sends it. `signature` is what the scheme gives.
    package func encode(_ signature: [UInt8]) -> [UInt8] {
        var writer = SSHWriter()
        writer.string(rawValue)
        switch self {
        case .ecdsaP256, .ecdsaP384, .ecdsaP521:
            var numbers = SSHWriter()
            numbers.positive(signature.prefix(signature.count / 2))
            numbers.positive(signature.suffix(signature.count / 2))
            writer.string(numbers.bytes)
        case .rsaSHA256, .rsaSHA512, .ed25519: writer.string(signature)
        }
        return writer.bytes
    }
}

extension SSHPublicKey {
    /// Returns true if `signature`, as SSH sends it, is one of `message` by the owner of this key.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        var reader = SSHReader(signature)
        guard let name = reader.text(), let scheme = SSHSignatureScheme(named: name, for: key.type),
            var bytes = reader.string(), reader.isAtEnd
        else { return false }
        switch key.type {
        case .ec(let curve):
            var numbers = SSHReader(bytes)
            guard let r = numbers.positive(), let s = numbers.positive(), numbers.isAtEnd,
                max(r.count, s.count) <= curve.coordinateCount
            else { return false }
            bytes = [r, s].flatMap { [UInt8](repeating: 0, count: curve.coordinateCount - $0.count) + $0 }
        case .rsa(let bits):
            // OpenSSH leaves leading zeros out.
            guard bytes.count <= bits / 8 else { return false }
            bytes = [UInt8](repeating: 0, count: bits / 8 - bytes.count) + bytes
        case .ed25519: break
        }
        return (try? key.verify(bytes.span.bytes, of: message.span.bytes, with: scheme.scheme)) ?? false
    }
}
