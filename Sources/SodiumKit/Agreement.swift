internal import CSodium

/// Agreement on a key over X25519. It lets the vault encrypt something without the key that decrypts it.
public enum Agreement: Sendable {
    /// Returns the public half of `secret`.
    public static func publicHalf(of secret: borrowing Key) -> [UInt8] {
        defer { Sodium.wipeStack() }
        return [UInt8](unsafeUninitializedCapacity: Key.count) { buffer, filled in
            _ = crypto_scalarmult_base(buffer.start, secret.base)
            filled = Key.count
        }
    }

    /// Returns the key that the owner of `secret` and the owner of the secret behind `other` both derive. Returns nil
    /// if `other` is not a valid public half.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func key(_ secret: borrowing Key, with other: RawSpan) throws(SodiumError) -> Key? {
        guard other.byteCount == Key.count else { return nil }
        let shared = try Key()
        defer { Sodium.wipeStack() }
        guard other.withPointer({ crypto_scalarmult(shared.base, secret.base, $0) }) == 0 else { return nil }
        return shared
    }
}
