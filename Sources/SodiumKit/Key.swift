internal import CSodium

/// Thirty-two secret bytes in the locked arena. A key has one owner, and is wiped when its life ends.
public struct Key: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    let base: UnsafeMutablePointer<UInt8>

    /// The number of bytes in a key.
    public static let count = 32

    /// Creates a key of zeros for the caller to fill.
    init() throws(SodiumError) {
        base = try Arena.allocate(Self.count).assumingMemoryBound(to: UInt8.self)
    }

    /// Creates a key with a copy of these bytes. Wipe the original yourself.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public init(copying bytes: RawSpan) throws(SodiumError) {
        precondition(bytes.byteCount == Self.count, "a key has \(Self.count) bytes")
        try self.init()
        let target = UnsafeMutableRawPointer(base)
        bytes.withUnsafeBytes { source in
            if let source = source.baseAddress { target.copyMemory(from: source, byteCount: Self.count) }
        }
    }

    /// Returns a random key.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func random() throws(SodiumError) -> Key {
        let key = try Key()
        randombytes_buf(key.base, count)
        return key
    }

    deinit { Arena.free(base, Self.count) }

    /// Lends the bytes to `body`.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: Self.count).bytes)
    }

    /// Returns a copy of the key.
    public borrowing func copy() throws(SodiumError) -> Key {
        try withBytes { (bytes) throws(SodiumError) in try Key(copying: bytes) }
    }

    /// Returns true if both keys are equal. The time that this takes does not reveal where they differ.
    public borrowing func equals(_ other: borrowing Key) -> Bool {
        sodium_memcmp(base, other.base, Self.count) == 0
    }

    /// Derives the key with this number for `purpose`, a name of eight letters, with libsodium's `crypto_kdf`.
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
