public import SodiumKit

extension PublicKey {
    /// Returns `message`, encrypted so that only the private key decrypts it.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/inputTooLong(limit:)``,
    ///   ``KeyError/inputOutOfRange``, ``KeyError/invalidSize(_:)`` or ``KeyError/memory(_:)``.
    public func encrypt(
        _ message: RawSpan, with scheme: EncryptionScheme, _ parameters: EncryptionParameters = EncryptionParameters()
    ) throws(KeyError) -> [UInt8] {
        guard type.family == scheme.family else { throw .unsupportedScheme(type) }
        if case .ec = type {
            return try encrypt(message, with: scheme, parameters, ephemeral: PrivateKey.generate(type))
        }
        if let limit = scheme.longestMessage(for: type), message.byteCount > limit {
            throw .inputTooLong(limit: limit)
        }
        return try OpenSSL.perform { (context) throws(KeyError) in
            switch scheme {
            case .ecies: throw .unsupportedScheme(type)
            case .rsaRaw:
                guard message.byteCount > 0 else { throw .inputOutOfRange }
                let padded = try message.paddedInFront(to: type.blockCount)
                return try encrypt(padded.span.bytes, .none, in: context)
            case .rsaPKCS1: return try encrypt(message, .pkcs1, in: context)
            case .rsaOAEP(let hash): return try encrypt(message, .oaep(hash), in: context)
            case .rsaOAEPAESGCM(let hash): return try encryptWithSessionKey(message, hash, in: context)
            }
        }
    }

    /// Encrypts with an ephemeral key that you choose, so that a test can repeat a published result. Never use an
    /// ephemeral key twice.
    ///
    /// - Throws: Like ``encrypt(_:with:_:)``.
    package func encrypt(
        _ message: RawSpan, with scheme: EncryptionScheme, _ parameters: EncryptionParameters,
        ephemeral: borrowing PrivateKey
    ) throws(KeyError) -> [UInt8] {
        guard case .ec(let curve) = type, case .ecies(_, let hash, let vector) = scheme else {
            throw .unsupportedScheme(type)
        }
        guard ephemeral.type == type else { throw .differentCurves }
        return try ECIES(curve, hash, vector, parameters).seal(message, for: self, ephemeral: ephemeral)
    }
}

extension PrivateKey {
    /// Returns the message in `box`.
    ///
    /// With PKCS#1 padding, the result and its time can reveal if the padding was right. An attacker who sees this for
    /// many messages of their choice can decrypt another one. If an attacker can, use OAEP.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/cannotDecrypt``, ``KeyError/inputTooLong(limit:)``,
    ///   ``KeyError/invalidSize(_:)`` or ``KeyError/memory(_:)``.
    public borrowing func decrypt(
        _ box: RawSpan, with scheme: EncryptionScheme, _ parameters: EncryptionParameters = EncryptionParameters()
    ) throws(KeyError) -> SecureBytes {
        let type = type
        if case .ec(let curve) = type, case .ecies(_, let hash, let vector) = scheme {
            return try ECIES(curve, hash, vector, parameters).open(box, with: self)
        }
        guard type.family == scheme.family else { throw .unsupportedScheme(type) }
        return try OpenSSL.perform { (context) throws(KeyError) in
            switch scheme {
            case .ecies: throw .unsupportedScheme(type)
            case .rsaRaw: return try decrypt(box, .none, in: context)
            case .rsaPKCS1: return try decrypt(box, .pkcs1, in: context)
            case .rsaOAEP(let hash): return try decrypt(box, .oaep(hash), in: context)
            case .rsaOAEPAESGCM(let hash): return try decryptWithSessionKey(box, hash, in: context)
            }
        }
    }
}
