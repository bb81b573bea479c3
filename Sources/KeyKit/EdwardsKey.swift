internal import SodiumKit

/// The bytes of Ed25519 keys, which libsodium works with. A private key is its public half, and then its seed.
enum EdwardsKey {
    /// The number of bytes in a public key.
    static let publicCount = 32
    /// The number of bytes in a private key.
    static let privateCount = 64

    /// Generates a private key.
    static func generate() throws(KeyError) -> SecureBytes {
        let seed = try KeyError.guarding(SodiumKit.Key.random())
        return try key(of: seed)
    }

    /// Returns the private key of a seed, which any 32 bytes are.
    static func key(seed: RawSpan) throws(KeyError) -> SecureBytes {
        guard seed.byteCount == SodiumKit.Key.count else { throw .malformed(.pkcs8) }
        let seed = try KeyError.guarding(SodiumKit.Key(copying: seed))
        return try key(of: seed)
    }

    private static func key(of seed: borrowing SodiumKit.Key) throws(KeyError) -> SecureBytes {
        do {
            let publicHalf = try Ed25519.publicHalf(of: seed)
            var whole = try SecureBytes(count: privateCount)
            whole.withMutableBytes { whole in
                whole.copyBytes(from: publicHalf)
                seed.withBytes { seed in
                    seed.withUnsafeBytes {
                        UnsafeMutableRawBufferPointer(rebasing: whole[publicCount...]).copyBytes(from: $0)
                    }
                }
            }
            return whole
        } catch { throw .memory(error) }
    }

    /// Lends the seed of a private key to `body`.
    private static func withSeed<Value>(
        of key: RawSpan, _ body: (borrowing SodiumKit.Key) throws(SodiumError) -> Value
    ) throws(KeyError) -> Value {
        let seed = try KeyError.guarding(SodiumKit.Key(copying: key.extracting(publicCount..<privateCount)))
        return try KeyError.guarding(body(seed))
    }

    /// Throws unless the seed of a private key belongs to its public half.
    static func check(_ key: RawSpan) throws(KeyError) {
        let publicHalf = try withSeed(of: key) { (seed) throws(SodiumError) in try Ed25519.publicHalf(of: seed) }
        guard publicHalf == key.extracting(first: publicCount).array() else { throw .invalidKey }
    }

    static func sign(_ message: RawSpan, with key: RawSpan) throws(KeyError) -> [UInt8] {
        // libsodium computes the public half anew, so a wrong one that is stored can reveal nothing of the seed.
        try withSeed(of: key) { (seed) throws(SodiumError) in try Ed25519.sign(message, with: seed) }
    }
}
