internal import CSodium

/// The library itself.
public enum Sodium: Sendable {
    private static let isReady = sodium_init() >= 0

    /// Starts libsodium once for the process; later calls cost nothing.
    public static func start() throws(SodiumError) {
        guard isReady else { throw .unavailable }
    }

    /// Wipes what a function of libsodium has left behind on the stack, deep enough for those that are no stretching: BLAKE2b
    /// copies its result there and does not clear it, and X25519 its scalar in another form. To be called from where that
    /// function was.
    @inline(__always)
    static func wipeStack(_ count: Int = 4096) { sodium_stackzero(count) }

    /// So many random bytes. For keys use ``Key/random()``, which keeps them in guarded memory.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let base = buffer.baseAddress { randombytes_buf(base, count) }
            filled = count
        }
    }

    /// Fills the bytes at random.
    public static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress { randombytes_buf(base, bytes.count) }
    }

    /// Wipes bytes that lie outside of ``SecureBytes``, in a way that is never left out.
    package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress { sodium_memzero(base, bytes.count) }
    }

    /// A random number below `bound`, each equally likely.
    package static func uniform(below bound: Int) -> Int {
        precondition(bound > 0 && bound <= UInt32.max, "there is a number below it, and libsodium counts so far")
        return Int(randombytes_uniform(UInt32(bound)))
    }

    /// Returns true if the bytes are the same, in a time that does not tell where they differ.
    public static func areEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return sodium_memcmp(first, second, left.count) == 0
            }
        }
    }
}
