internal import COpenSSL
public import SodiumKit

/// The encryption of keys by keys with AES (RFC 3394). It needs no nonce, and finds every change.
public enum KeyWrap: Sendable {
    /// The possible lengths of the key that wraps others.
    public static let keyCounts = [16, 24, 32]
    /// The number of bytes that a wrapped key is longer.
    public static let overhead = 8
    /// The longest key that can be wrapped.
    public static let longest = 1 << 20

    /// Returns `secret`, wrapped by `key`.
    ///
    /// - Throws: ``KeyError/invalidSize(_:)`` for the key, or for a secret that is not made of eight bytes each, at least sixteen.
    public static func wrap(_ secret: RawSpan, key: RawSpan) throws(KeyError) -> [UInt8] {
        try requireBlocks(secret.byteCount)
        return try OpenSSL.perform { (context) throws(KeyError) in
            let cipher = try WrapCipher(key: key, isWrapping: true, in: context)
            var wrapped = [UInt8](repeating: 0, count: secret.byteCount + overhead)
            let isWrapped = wrapped.withUnsafeMutableBytes { cipher.run(secret, into: $0) == $0.count }
            guard isWrapped else { throw .unavailable }
            return wrapped
        }
    }

    /// Returns the secret in `wrapped`.
    ///
    /// - Throws: ``KeyError/cannotDecrypt`` if `wrapped` was changed, or wrapped by another key; ``KeyError/invalidSize(_:)`` for the
    ///   key or for `wrapped`; or ``KeyError/memory(_:)``.
    public static func unwrap(_ wrapped: RawSpan, key: RawSpan) throws(KeyError) -> SecureBytes {
        try requireBlocks(wrapped.byteCount - overhead)
        return try OpenSSL.perform { (context) throws(KeyError) in
            let cipher = try WrapCipher(key: key, isWrapping: false, in: context)
            // OpenSSL may use the room of the whole input.
            var secret = try KeyError.guarding(SecureBytes(count: wrapped.byteCount))
            let filled = secret.withMutableBytes { cipher.run(wrapped, into: $0) }
            guard filled == wrapped.byteCount - overhead else { throw .cannotDecrypt }
            do throws(SodiumError) { return try secret.prefix(wrapped.byteCount - overhead) } catch {
                throw .memory(error)
            }
        }
    }

    private static func requireBlocks(_ count: Int) throws(KeyError) {
        guard (16...longest).contains(count), count % 8 == 0 else { throw .invalidSize(count) }
    }
}

/// A cipher of keys at work, which OpenSSL clears and frees when its life ends.
private struct WrapCipher: ~Copyable {
    private let pointer: OpaquePointer

    deinit { EVP_CIPHER_CTX_free(pointer) }

    init(key: RawSpan, isWrapping: Bool, in context: OpaquePointer) throws(KeyError) {
        guard KeyWrap.keyCounts.contains(key.byteCount) else { throw .invalidSize(key.byteCount) }
        let name: StaticString =
            switch key.byteCount {
            case 16: "AES-128-WRAP"
            case 24: "AES-192-WRAP"
            default: "AES-256-WRAP"
            }
        guard let cipher = EVP_CIPHER_fetch(context, name.characters, nil) else { throw .unavailable }
        defer { EVP_CIPHER_free(cipher) }
        guard let made = EVP_CIPHER_CTX_new() else { throw .unavailable }
        EVP_CIPHER_CTX_set_flags(made, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        let isReady = key.withPointer { EVP_CipherInit_ex2(made, cipher, $0, nil, isWrapping ? 1 : 0, nil) }
        guard isReady == 1 else {
            EVP_CIPHER_CTX_free(made)
            throw .unavailable
        }
        pointer = made
    }

    /// Converts all of `input`, and returns the number of bytes that this has filled; nil if the check of the input fails.
    func run(_ input: RawSpan, into output: UnsafeMutableRawBufferPointer) -> Int? {
        var count: Int32 = 0
        let isDone = input.withPointer {
            EVP_CipherUpdate(pointer, output.octets, &count, $0, Int32(input.byteCount))
        }
        return isDone == 1 ? Int(count) : nil
    }
}
