internal import CSodium

/// Signatures with Ed25519. A private key is its seed of 32 bytes.
public enum Ed25519: Sendable {
    /// The number of bytes in a signature.
    public static let signatureCount = 64

    /// Returns the public half of `secret`.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func publicHalf(of secret: borrowing Key) throws(SodiumError) -> [UInt8] {
        try withPair(secret) { publicHalf, _ in publicHalf }
    }

    /// Returns the signature of `message`. It is always the same for the same message.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func sign(_ message: RawSpan, with secret: borrowing Key) throws(SodiumError) -> [UInt8] {
        try withPair(secret) { _, pair in
            message.withPointer { start in
                [UInt8](unsafeUninitializedCapacity: signatureCount) { buffer, filled in
                    _ = crypto_sign_detached(buffer.start, nil, start, UInt64(message.byteCount), pair)
                    filled = signatureCount
                }
            }
        }
    }

    /// Returns true if `signature` is a signature of `message` by the owner of the secret behind `publicHalf`.
    public static func isValid(_ signature: RawSpan, of message: RawSpan, by publicHalf: RawSpan) -> Bool {
        guard signature.byteCount == signatureCount, publicHalf.byteCount == Key.count else { return false }
        return signature.withPointer { signature in
            message.withPointer { start in
                publicHalf.withPointer {
                    crypto_sign_verify_detached(signature, start, UInt64(message.byteCount), $0) == 0
                }
            }
        }
    }

    /// Returns true if these 32 bytes are the one form of a point that a public half can be.
    public static func isPoint(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount == Key.count else { return false }
        return bytes.withPointer { crypto_core_ed25519_is_valid_point($0) == 1 }
    }

    /// Runs `body` with the public half, and with the pair in guarded memory as libsodium has it.
    private static func withPair(
        _ secret: borrowing Key, _ body: ([UInt8], UnsafePointer<UInt8>) -> [UInt8]
    ) throws(SodiumError) -> [UInt8] {
        try Sodium.start()
        var pair = try SecureBytes(count: 2 * Key.count)
        // The closures in between take a part of the usual depth.
        defer { Sodium.wipeStack(8 * 1024) }
        return pair.withMutableBytes { pair in
            let target = pair.assumingMemoryBound(to: UInt8.self).start
            let publicHalf = [UInt8](unsafeUninitializedCapacity: Key.count) { buffer, filled in
                _ = crypto_sign_seed_keypair(buffer.start, target, secret.base)
                filled = Key.count
            }
            return body(publicHalf, target)
        }
    }
}
