internal import CSodium

/// Thirty-two secret bytes in the locked arena, with one owner, wiped when it lets go of them.
public struct Key: ~Copyable, @unchecked Sendable {  // one owner, so nobody else holds the pointer
    let base: UnsafeMutablePointer<UInt8>

    /// How many bytes a key has.
    public static let count = 32

    /// A key of zeros, for whoever fills it in.
    init() throws(SodiumError) {
        base = try Arena.allocate(Self.count).assumingMemoryBound(to: UInt8.self)
    }

    /// The key with these bytes, whose original is the caller's to wipe.
    public init(copying bytes: RawSpan) throws(SodiumError) {
        precondition(bytes.byteCount == Self.count, "a key has \(Self.count) bytes")
        try self.init()
        let target = UnsafeMutableRawPointer(base)
        bytes.withUnsafeBytes { source in
            if let source = source.baseAddress { target.copyMemory(from: source, byteCount: Self.count) }
        }
    }

    /// A random key.
    public static func random() throws(SodiumError) -> Key {
        let key = try Key()
        randombytes_buf(key.base, count)
        return key
    }

    deinit { Arena.free(base, Self.count) }

    /// Lends the bytes out.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: Self.count).bytes)
    }

    /// Another owner of the same key.
    public borrowing func copy() throws(SodiumError) -> Key {
        try withBytes { (bytes) throws(SodiumError) in try Key(copying: bytes) }
    }

    /// Returns true if both are the same key, in a time that does not tell where they differ.
    public borrowing func equals(_ other: borrowing Key) -> Bool {
        sodium_memcmp(base, other.base, Self.count) == 0
    }

    /// The key number `number` that this one stands for in `purpose`, a name of eight letters (crypto_kdf).
    public borrowing func derive(_ number: UInt64, _ purpose: StaticString) throws(SodiumError) -> Key {
        precondition(purpose.utf8CodeUnitCount == Int(crypto_kdf_CONTEXTBYTES), "a purpose has eight letters")
        let key = try Key()
        purpose.withUTF8Buffer { letters in
            guard let letters = letters.baseAddress else { return }
            letters.withMemoryRebound(to: CChar.self, capacity: purpose.utf8CodeUnitCount) { letters in
                _ = crypto_kdf_derive_from_key(key.base, Self.count, number, letters, base)
            }
        }
        Sodium.wipeStack()
        return key
    }
}
