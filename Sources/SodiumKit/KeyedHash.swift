internal import CSodium

/// Keyed BLAKE2b over parts, each with its length in front, so that no two lists of parts run together.
public struct KeyedHash: ~Copyable, @unchecked Sendable {  // one owner, so nobody else holds the pointer
    // The state holds what the key can be found from, and wants to be aligned: it lives in the arena like a key.
    private let state: OpaquePointer
    private let block: UnsafeMutableRawPointer
    private static let count = crypto_generichash_statebytes()
    /// What BLAKE2b needs of the stack, generously: it is wiped with every key, where time counts.
    private static let stack = 1024

    /// A hash under `key`.
    public init(_ key: borrowing Key) throws(SodiumError) {
        block = try Arena.allocate(Self.count)
        state = OpaquePointer(block)
        crypto_generichash_init(state, key.base, Key.count, Key.count)
    }

    deinit { Arena.free(block, Self.count) }

    /// Takes in another part.
    public mutating func add(_ part: RawSpan) {
        var length = UInt64(part.byteCount).littleEndian
        withUnsafeBytes(of: &length) { update($0.bytes) }
        update(part)
    }

    /// Takes in another part that is a key.
    public mutating func add(_ part: borrowing Key) {
        add(UnsafeRawBufferPointer(start: part.base, count: Key.count).bytes)
    }

    /// Takes in a number.
    public mutating func add(_ number: UInt64) {
        var number = number.littleEndian
        withUnsafeBytes(of: &number) { add($0.bytes) }
    }

    private func update(_ bytes: RawSpan) {
        _ = bytes.withPointer { crypto_generichash_update(state, $0, UInt64(bytes.byteCount)) }
    }

    /// The hash as a key.
    public consuming func key() throws(SodiumError) -> Key {
        let key = try Key()
        crypto_generichash_final(state, key.base, Key.count)
        Sodium.wipeStack(Self.stack)
        return key
    }

    /// The hash as 32 bytes that are no secret.
    public consuming func bytes() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Key.count) { buffer, filled in
            crypto_generichash_final(state, buffer.start, Key.count)
            filled = Key.count
        }
    }
}

/// BLAKE2b without a key, as a checksum against accidents.
public enum Checksum: Sendable {
    /// Sixteen bytes, or so many up to 64, that change when `bytes` do.
    public static func of(_ bytes: RawSpan, count: Int = 16) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            _ = bytes.withPointer { crypto_generichash(buffer.start, count, $0, UInt64(bytes.byteCount), nil, 0) }
            filled = count
        }
    }
}
