internal import CSodium

/// A sealed box: XChaCha20-Poly1305, as nonce, ciphertext, tag.
///
/// Every nonce is random: 24 bytes of it never repeat.
public enum Box: Sendable {
    /// How much longer a box is than what is in it.
    public static let overhead = nonceCount + tagCount
    /// The length of the tag at a box's end.
    public static let tagCount = 16
    /// The length of the nonce at its beginning.
    static let nonceCount = 24

    /// Appends `message`, sealed under `key` together with what `context` says, to `boxes`.
    public static func seal(
        _ message: RawSpan, under key: borrowing Key, context: RawSpan, onto boxes: inout [UInt8]
    ) {
        boxes += seal(message, under: key, context: context)
    }

    /// `message`, sealed.
    public static func seal(_ message: RawSpan, under key: borrowing Key, context: RawSpan) -> [UInt8] {
        let count = message.byteCount + overhead
        return [UInt8](unsafeUninitializedCapacity: count) { box, filled in
            let nonce = box.start
            randombytes_buf(nonce, nonceCount)
            message.withPointer { text in
                context.withPointer { additional in
                    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                        nonce + nonceCount, nil, text, UInt64(message.byteCount), additional,
                        UInt64(context.byteCount), nil, nonce, key.base)
                }
            }
            filled = count
        }
    }

    /// `secret`, sealed.
    public static func seal(_ secret: borrowing Key, under key: borrowing Key, context: RawSpan) -> [UInt8] {
        let message = UnsafeRawBufferPointer(start: secret.base, count: Key.count).bytes
        return seal(message, under: key, context: context)
    }

    /// What is in `box`; nil when it was not sealed under `key` with this `context`, or is no longer what it was.
    public static func open(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> SecureBytes? {
        guard box.byteCount >= overhead else { return nil }
        var message = try SecureBytes(count: box.byteCount - overhead)
        guard message.withMutableBytes({ open(box, under: key, context: context, into: $0) }) else { return nil }
        return message
    }

    /// The key that is in `box`; nil when it does not open, or holds something else.
    public static func openKey(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> Key? {
        guard box.byteCount == Key.count + overhead else { return nil }
        let inner = try Key()
        let target = UnsafeMutableRawBufferPointer(start: inner.base, count: Key.count)
        guard open(box, under: key, context: context, into: target) else { return nil }
        return inner
    }

    private static func open(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        box.withPointer { nonce in
            context.withPointer { additional in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    target.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nonce + nonceCount,
                    UInt64(box.byteCount - nonceCount), additional, UInt64(context.byteCount), nonce, key.base) == 0
            }
        }
    }
}
