/// The encodings of an ECDSA signature, which consists of the numbers r and s.
public enum SignatureEncoding: CaseIterable, Hashable, Sendable {
    /// ANSI X9.62: a DER sequence of r and s.
    case x962
    /// RFC 4754: r, then s, each as long as a coordinate.
    case rfc4754
}

/// The two inputs of a signature scheme with a hash function.
public enum SignatureInput: CaseIterable, Hashable, Sendable {
    /// The message, which KeyKit hashes.
    case message
    /// The digest of the message, which has to have the length that the hash function gives.
    case digest
}

/// The signature schemes. Each has one of Apple's names in `SecKeyAlgorithm`.
public enum SignatureScheme: Hashable, Sendable {
    /// ECDSA of a message or of its digest.
    case ecdsa(SignatureEncoding, HashAlgorithm, SignatureInput)
    /// ECDSA of a digest of any length. Bits beyond the size of the curve do not count.
    case ecdsaOfAnyDigest(SignatureEncoding)
    /// The bare RSA operation. The input is a number below the modulus; a shorter input has zeros in front. Use it only
    /// to build a padding scheme elsewhere.
    case rsaRaw
    /// RSA with PKCS#1 v1.5 padding of a message or of its digest.
    case rsaPKCS1(HashAlgorithm, SignatureInput)
    /// RSA with PKCS#1 v1.5 padding around any bytes, without the name of a hash function.
    case rsaPKCS1OfAnyDigest
    /// RSA-PSS of a message or of its digest. The mask uses the same hash function, and the salt is as long as a digest.
    case rsaPSS(HashAlgorithm, SignatureInput)
    /// Ed25519 of a message, as in RFC 8032. It has no form for a digest.
    case ed25519

    /// Every scheme.
    public static let all: [SignatureScheme] = {
        var all: [SignatureScheme] = SignatureEncoding.allCases.map { .ecdsaOfAnyDigest($0) }
        all += [.rsaRaw, .rsaPKCS1OfAnyDigest, .ed25519]
        for hash in HashAlgorithm.allCases {
            for input in SignatureInput.allCases {
                all += SignatureEncoding.allCases.map { .ecdsa($0, hash, input) }
                all += [.rsaPKCS1(hash, input), .rsaPSS(hash, input)]
            }
        }
        return all
    }()

    /// The family of keys that the scheme uses.
    public var family: KeyFamily {
        switch self {
        case .ecdsa, .ecdsaOfAnyDigest: .ec
        case .rsaRaw, .rsaPKCS1, .rsaPKCS1OfAnyDigest, .rsaPSS: .rsa
        case .ed25519: .ed25519
        }
    }

    /// The encoding of an ECDSA signature; nil for others.
    var encoding: SignatureEncoding? {
        switch self {
        case .ecdsa(let encoding, _, _), .ecdsaOfAnyDigest(let encoding): encoding
        case .rsaRaw, .rsaPKCS1, .rsaPKCS1OfAnyDigest, .rsaPSS, .ed25519: nil
        }
    }

    /// The hash function and the input; nil for schemes that take any digest.
    package var hashing: (hash: HashAlgorithm, input: SignatureInput)? {
        switch self {
        case .ecdsa(_, let hash, let input), .rsaPKCS1(let hash, let input), .rsaPSS(let hash, let input):
            (hash, input)
        case .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .ed25519: nil
        }
    }

    /// The parameters of the scheme for OpenSSL.
    var parameters: Parameters {
        var parameters = Parameters()
        switch self {
        case .ecdsa, .ecdsaOfAnyDigest, .ed25519: break
        case .rsaRaw: parameters.add("pad-mode", "none")
        case .rsaPKCS1(let hash, _):
            parameters.add("digest", hash.name)
            parameters.add("pad-mode", "pkcs1")
        case .rsaPKCS1OfAnyDigest: parameters.add("pad-mode", "pkcs1")
        case .rsaPSS(let hash, _):
            parameters.add("digest", hash.name)
            parameters.add("pad-mode", "pss")
            parameters.add("mgf1-digest", hash.name)
            parameters.add("saltlen", "digest")
        }
        return parameters
    }

    /// Returns true if a key of the type is long enough for the scheme.
    package func fits(_ type: KeyType) -> Bool {
        switch self {
        // The digest, the salt and nine bits of padding.
        case .rsaPSS(let hash, _): type.bits >= 16 * hash.digestCount + 9
        case .ecdsa, .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1, .rsaPKCS1OfAnyDigest, .ed25519: true
        }
    }

    /// Returns what OpenSSL signs for `input`: a digest, or bytes as long as the modulus.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/wrongDigestLength(expected:actual:)``,
    ///   ``KeyError/inputTooLong(limit:)`` or ``KeyError/inputOutOfRange``.
    func prepare(_ input: RawSpan, for type: KeyType) throws(KeyError) -> [UInt8] {
        guard type.family == family else { throw .unsupportedScheme(type) }
        if let (hash, kind) = hashing {
            switch kind {
            case .message: return try hash.digest(of: input)
            case .digest:
                guard input.byteCount == hash.digestCount else {
                    throw .wrongDigestLength(expected: hash.digestCount, actual: input.byteCount)
                }
                return input.array()
            }
        }
        if self == .ed25519 { return input.array() }
        guard input.byteCount > 0 else { throw .inputOutOfRange }
        switch self {
        case .rsaRaw: return try input.paddedInFront(to: type.blockCount)
        case .rsaPKCS1OfAnyDigest:
            // The padding takes eleven bytes.
            let limit = type.blockCount - 11
            guard input.byteCount <= limit else { throw .inputTooLong(limit: limit) }
        // Only the leftmost bits count, and no curve has more than these.
        case .ecdsaOfAnyDigest: return input.extracting(first: min(input.byteCount, type.blockCount)).array()
        case .ecdsa, .rsaPKCS1, .rsaPSS, .ed25519: break
        }
        return input.array()
    }
}

extension RawSpan {
    /// Returns the bytes with zeros in front, as a number of `count` bytes.
    ///
    /// - Throws: ``KeyError/inputTooLong(limit:)``.
    func paddedInFront(to count: Int) throws(KeyError) -> [UInt8] {
        guard byteCount <= count else { throw .inputTooLong(limit: count) }
        return [UInt8](repeating: 0, count: count - byteCount) + array()
    }
}
