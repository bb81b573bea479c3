internal import CSodium

/// Agreement on a key over X25519, for locking something up without the key that opens it.
public enum Agreement: Sendable {
    /// The public half that belongs to `secret`.
    public static func publicHalf(of secret: borrowing Key) -> [UInt8] {
        defer { Sodium.wipeStack() }
        return [UInt8](unsafeUninitializedCapacity: Key.count) { buffer, filled in
            _ = crypto_scalarmult_base(buffer.start, secret.base)
            filled = Key.count
        }
    }

    /// What the owner of `secret` and the owner of the secret behind `other` both arrive at; nil for a public half that
    /// nobody could own.
    public static func key(_ secret: borrowing Key, with other: RawSpan) throws(SodiumError) -> Key? {
        guard other.byteCount == Key.count else { return nil }
        let shared = try Key()
        defer { Sodium.wipeStack() }
        guard other.withPointer({ crypto_scalarmult(shared.base, secret.base, $0) }) == 0 else { return nil }
        return shared
    }
}
