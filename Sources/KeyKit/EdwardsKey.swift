internal import SodiumKit

/// Ed25519, which libsodium does. A private key is its public half, and then its seed.
enum EdwardsKey {
    /// The number of bytes in a public key.
    static let publicCount = 32
    /// The number of bytes in a private key.
    static let privateCount = 64

    /// Generates a key.
    static func generate() throws(KeyError) -> PrivateKey {
        let seed = try KeyError.guarding { () throws(SodiumError) in try SodiumKit.Key.random() }
        return try key(of: seed)
    }

    /// Returns the key of a seed, which any 32 bytes are.
    static func key(seed: RawSpan) throws(KeyError) -> PrivateKey {
        guard seed.byteCount == SodiumKit.Key.count else { throw .malformed(.pkcs8) }
        let seed = try KeyError.guarding { () throws(SodiumError) in try SodiumKit.Key(copying: seed) }
        return try key(of: seed)
    }

    private static func key(of seed: borrowing SodiumKit.Key) throws(KeyError) -> PrivateKey {
        do throws(SodiumError) {
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
            return try wrapped(whole)
        } catch { throw .memory(error) }
    }

    /// Returns the key with these bytes, whose length is right.
    private static func wrapped(_ whole: consuming SecureBytes) throws(SodiumError) -> PrivateKey {
        guard let key = try? PrivateKey(trusted: whole, .ed25519) else { preconditionFailure("64 bytes are a key") }
        return key
    }

    /// Lends the seed of a key to `body`.
    private static func withSeed<Value>(
        of key: borrowing PrivateKey, _ body: (borrowing SodiumKit.Key) throws(SodiumError) -> Value
    ) throws(KeyError) -> Value {
        try key.withExternalRepresentation { (bytes) throws(KeyError) in
            try KeyError.guarding { () throws(SodiumError) in
                let seed = try SodiumKit.Key(copying: bytes.extracting(publicCount..<privateCount))
                return try body(seed)
            }
        }
    }

    /// Throws unless the seed belongs to the public half.
    static func check(_ key: borrowing PrivateKey) throws(KeyError) {
        let publicHalf = try withSeed(of: key) { (seed) throws(SodiumError) in try Ed25519.publicHalf(of: seed) }
        guard publicHalf == key.publicKey.externalRepresentation else { throw .invalidKey }
    }

    /// Returns the signature of a message.
    static func sign(_ message: RawSpan, with key: borrowing PrivateKey) throws(KeyError) -> [UInt8] {
        guard key.type == .ed25519 else { throw .unsupportedScheme(key.type) }
        // libsodium computes the public half anew, so a wrong one that is stored can reveal nothing of the seed.
        return try withSeed(of: key) { (seed) throws(SodiumError) in try Ed25519.sign(message, with: seed) }
    }
}
