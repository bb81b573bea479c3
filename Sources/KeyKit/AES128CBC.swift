internal import COpenSSL
public import SodiumKit

/// AES with 128 bits in cipher block chaining, padded as in PKCS#7. Nothing protects the ciphertext from changes, so use
/// ``AuthenticatedCipher`` if a protocol leaves you the choice.
public enum AES128CBC: Sendable {
    /// The number of bytes in a key, in an initialization vector and in a block.
    public static let count = 16
    /// The number of bytes in the longest message.
    public static let longest = 1 << 30

    /// Returns the ciphertext of `message`. Take a random vector for each message.
    ///
    /// - Throws: ``KeyError/invalidSize(_:)`` for the key or the vector, or ``KeyError/inputTooLong(limit:)``.
    public static func encrypt(_ message: RawSpan, key: RawSpan, vector: RawSpan) throws(KeyError) -> [UInt8] {
        guard message.byteCount <= longest else { throw .inputTooLong(limit: longest) }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let cipher = try ChainedCipher(key: key, vector: vector, isEncrypting: true, in: context)
            var box = [UInt8](repeating: 0, count: message.byteCount + count)
            let filled = box.withUnsafeMutableBytes { cipher.run(message, into: $0) }
            guard let filled else { throw .unavailable }
            box.removeLast(box.count - filled)
            return box
        }
    }

    /// Returns the message in `ciphertext`.
    ///
    /// - Throws: ``KeyError/cannotDecrypt`` if the padding is wrong, ``KeyError/invalidSize(_:)`` for the key or the vector,
    ///   ``KeyError/inputTooLong(limit:)`` or ``KeyError/memory(_:)``.
    public static func decrypt(_ ciphertext: RawSpan, key: RawSpan, vector: RawSpan) throws(KeyError) -> SecureBytes {
        guard ciphertext.byteCount <= longest else { throw .inputTooLong(limit: longest) }
        guard ciphertext.byteCount > 0, ciphertext.byteCount % count == 0 else { throw .cannotDecrypt }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let cipher = try ChainedCipher(key: key, vector: vector, isEncrypting: false, in: context)
            var message = try KeyError.guarding(SecureBytes(count: ciphertext.byteCount + count))
            let filled = message.withMutableBytes { cipher.run(ciphertext, into: $0) }
            guard let filled else { throw .cannotDecrypt }
            do throws(SodiumError) { return try message.prefix(filled) } catch { throw .memory(error) }
        }
    }
}

/// A cipher at work, which OpenSSL clears and frees when its life ends.
private struct ChainedCipher: ~Copyable {
    private let pointer: OpaquePointer

    deinit { EVP_CIPHER_CTX_free(pointer) }

    init(key: RawSpan, vector: RawSpan, isEncrypting: Bool, in context: OpaquePointer) throws(KeyError) {
        for size in [key.byteCount, vector.byteCount] where size != AES128CBC.count { throw .invalidSize(size) }
        guard let cipher = EVP_CIPHER_fetch(context, "AES-128-CBC", nil) else { throw .unavailable }
        defer { EVP_CIPHER_free(cipher) }
        guard let made = EVP_CIPHER_CTX_new() else { throw .unavailable }
        let isReady = key.withPointer { key in
            vector.withPointer { EVP_CipherInit_ex2(made, cipher, key, $0, isEncrypting ? 1 : 0, nil) }
        }
        guard isReady == 1 else {
            EVP_CIPHER_CTX_free(made)
            throw .unavailable
        }
        pointer = made
    }

    /// Converts all of `input`, and returns the number of bytes that this has filled. Returns nil if the padding is wrong.
    func run(_ input: RawSpan, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = output.octets else { return nil }
        var (first, last): (Int32, Int32) = (0, 0)
        let isDone =
            input.withPointer { EVP_CipherUpdate(pointer, start, &first, $0, Int32(input.byteCount)) } == 1
            && EVP_CipherFinal_ex(pointer, start + Int(first), &last) == 1
        return isDone ? Int(first) + Int(last) : nil
    }
}
