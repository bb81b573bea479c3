internal import CSodium

/// A keyed BLAKE2b hash over a list of parts. Each part is hashed after its length, so two different lists never hash
/// the same bytes.
public struct KeyedHash: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    // The state reveals the key, and it has to be aligned, so it lives in the arena like a key.
    private let state: OpaquePointer
    private let block: UnsafeMutableRawPointer
    private static let count = crypto_generichash_statebytes()
    /// An ample bound for the stack that BLAKE2b uses. It is wiped with every key, where time counts.
    private static let stack = 1024

    /// Creates a hash under `key`.
    public init(_ key: borrowing Key) throws(SodiumError) {
        block = try Arena.allocate(Self.count)
        state = OpaquePointer(block)
        crypto_generichash_init(state, key.base, Key.count, Key.count)
    }

    deinit { Arena.free(block, Self.count) }

    /// Adds a part.
    public mutating func add(_ part: RawSpan) {
        var length = UInt64(part.byteCount).littleEndian
        withUnsafeBytes(of: &length) { update($0.bytes) }
        update(part)
    }

    /// Adds a key as a part.
    public mutating func add(_ part: borrowing Key) {
        add(UnsafeRawBufferPointer(start: part.base, count: Key.count).bytes)
    }

    /// Adds a number as a part.
    public mutating func add(_ number: UInt64) {
        var number = number.littleEndian
        withUnsafeBytes(of: &number) { add($0.bytes) }
    }

    private func update(_ bytes: RawSpan) {
        _ = bytes.withPointer { crypto_generichash_update(state, $0, UInt64(bytes.byteCount)) }
    }

    /// Returns the hash as a key.
    public consuming func key() throws(SodiumError) -> Key {
        let key = try Key()
        crypto_generichash_final(state, key.base, Key.count)
        Sodium.wipeStack(Self.stack)
        return key
    }

    /// Returns the hash as 32 bytes, for a hash that is not secret.
    public consuming func bytes() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Key.count) { buffer, filled in
            crypto_generichash_final(state, buffer.start, Key.count)
            filled = Key.count
        }
    }
}

/// BLAKE2b without a key, as a checksum against accidents.
public enum Checksum: Sendable {
    /// Returns a checksum of `bytes` with `count` bytes, at most 64.
    public static func of(_ bytes: RawSpan, count: Int = 16) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            _ = bytes.withPointer { crypto_generichash(buffer.start, count, $0, UInt64(bytes.byteCount), nil, 0) }
            filled = count
        }
    }
}
