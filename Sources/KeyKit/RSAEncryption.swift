internal import COpenSSL
internal import SodiumKit

/// The padding schemes that encrypt with RSA alone.
enum RSAPadding {
    case none
    case pkcs1
    case oaep(HashAlgorithm)

    fileprivate var parameters: Parameters {
        var parameters = Parameters()
        switch self {
        case .none: parameters.add("pad-mode", "none")
        case .pkcs1: parameters.add("pad-mode", "pkcs1")
        case .oaep(let hash):
            parameters.add("pad-mode", "oaep")
            parameters.add("digest", hash.name)
            parameters.add("mgf1-digest", hash.name)
        }
        return parameters
    }
}

extension PublicKey {
    /// Returns `message`, encrypted with RSA alone.
    ///
    /// - Throws: ``KeyError/inputOutOfRange`` if the bare operation gets a number that is not below the modulus.
    func encrypt(_ message: RawSpan, _ padding: RSAPadding, in context: OpaquePointer) throws(KeyError) -> [UInt8] {
        let operation = try EVPKeyContext(makeEVPKey(in: context), in: context)
        guard padding.parameters.withPointer({ EVP_PKEY_encrypt_init_ex(operation.pointer, $0) }) == 1 else {
            throw .unavailable
        }
        var count = type.blockCount
        var isEncrypted = false
        let encrypted = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            isEncrypted =
                message.withPointer {
                    EVP_PKEY_encrypt(operation.pointer, buffer.baseAddress, &count, $0, message.byteCount)
                } == 1
            filled = isEncrypted ? count : 0
        }
        guard isEncrypted else {
            if case .none = padding { throw .inputOutOfRange }
            throw .unavailable
        }
        return encrypted
    }

    /// The size of the AES key that Apple chooses for RSA-OAEP with AES-GCM.
    var sessionKeyCount: Int { type.bits >= 4096 ? 32 : 16 }

    /// Returns `message`, encrypted with a random AES key, after that key.
    func encryptWithSessionKey(
        _ message: RawSpan, _ hash: HashAlgorithm, in context: OpaquePointer
    ) throws(KeyError) -> [UInt8] {
        let count = sessionKeyCount
        guard let limit = EncryptionScheme.rsaOAEP(hash).longestMessage(for: type), limit >= count else {
            throw .unsupportedScheme(type)
        }
        var session = try KeyError.guarding(SecureBytes(count: count))
        session.withMutableBytes { Sodium.fillRandomly($0) }
        let vector = AESGCM.zeroVector
        return try session.withBytes { (session) throws(KeyError) in
            var box = try encrypt(session, .oaep(hash), in: context)
            try AuthenticatedCipher.aesGCM.seal(
                message, key: session, nonce: vector.span.bytes,
                additional: externalRepresentation.span.bytes, onto: &box, in: context)
            return box
        }
    }
}

extension PrivateKey {
    /// Returns the message in `box`, which was encrypted with RSA alone.
    ///
    /// - Throws: ``KeyError/cannotDecrypt``.
    borrowing func decrypt(
        _ box: RawSpan, _ padding: RSAPadding, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        var count = type.blockCount
        guard box.byteCount == count else { throw .cannotDecrypt }
        let operation = try EVPKeyContext(makeEVPKey(in: context), in: context)
        guard padding.parameters.withPointer({ EVP_PKEY_decrypt_init_ex(operation.pointer, $0) }) == 1 else {
            throw .unavailable
        }
        var message = try KeyError.guarding(SecureBytes(count: count))
        let isDecrypted = message.withMutableBytes { message in
            box.withPointer { EVP_PKEY_decrypt(operation.pointer, message.octets, &count, $0, box.byteCount) } == 1
        }
        guard isDecrypted, count <= message.count else { throw .cannotDecrypt }
        do { return try message.prefix(count) } catch { throw .memory(error) }
    }

    /// Returns the message in `box`, which is an encrypted AES key, a ciphertext and a tag.
    ///
    /// - Throws: ``KeyError/cannotDecrypt``.
    borrowing func decryptWithSessionKey(
        _ box: RawSpan, _ hash: HashAlgorithm, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        let count = type.blockCount
        guard box.byteCount >= count + AuthenticatedCipher.tagCount else { throw .cannotDecrypt }
        let session = try decrypt(box.extracting(first: count), .oaep(hash), in: context)
        guard session.count == publicKey.sessionKeyCount else { throw .cannotDecrypt }
        let vector = AESGCM.zeroVector
        return try session.withBytes { (session) throws(KeyError) in
            try AuthenticatedCipher.aesGCM.open(
                box.extracting(droppingFirst: count), key: session, nonce: vector.span.bytes,
                additional: publicKey.externalRepresentation.span.bytes, in: context)
        }
    }
}
