internal import CSodium

/// The functions of libsodium that need no key.
public enum Sodium: Sendable {
    private static let isReady = sodium_init() >= 0

    /// Starts libsodium once for the process. Later calls cost nothing.
    ///
    /// - Throws: ``SodiumError/unavailable`` if libsodium cannot start.
    public static func start() throws(SodiumError) {
        guard isReady else { throw .unavailable }
    }

    /// Wipes what a function of libsodium left behind on the stack. BLAKE2b copies its result there and does not clear
    /// it, and X25519 leaves its scalar there in another form. The usual depth suffices for everything except
    /// stretching. Call this from the function that called libsodium.
    @inline(__always)
    package static func wipeStack(_ count: Int = 4096) { sodium_stackzero(count) }

    /// Returns this many random bytes. For keys use ``Key/random()``, which keeps them in guarded memory.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let base = buffer.baseAddress { randombytes_buf(base, count) }
            filled = count
        }
    }

    /// Fills the buffer with random bytes.
    public static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress { randombytes_buf(base, bytes.count) }
    }

    /// Wipes bytes outside ``SecureBytes``. The compiler never removes this call.
    package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress { sodium_memzero(base, bytes.count) }
    }

    /// Returns a random number below `bound`. Every number is equally likely.
    package static func uniform(below bound: Int) -> Int {
        precondition(bound > 0 && bound <= UInt32.max, "a bound must be positive and fit 32 bits")
        return Int(randombytes_uniform(UInt32(bound)))
    }

    /// Returns true if the bytes are equal. The time that this takes does not reveal where they differ.
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
