internal import CSodium

/// A sealed box: XChaCha20-Poly1305, stored as nonce, ciphertext and tag.
///
/// Every nonce is random. With 24 bytes, a nonce never repeats in practice.
public enum Box: Sendable {
    /// The number of bytes that a box is longer than its message.
    public static let overhead = nonceCount + tagCount
    /// The length of the tag at the end of a box.
    public static let tagCount = 16
    /// The length of the nonce at the beginning of a box.
    static let nonceCount = 24

    /// Seals `message` under `key` and `context`, and appends the box to `boxes`.
    public static func seal(
        _ message: RawSpan, under key: borrowing Key, context: RawSpan, onto boxes: inout [UInt8]
    ) {
        boxes += seal(message, under: key, context: context)
    }

    /// Returns `message`, sealed under `key` and `context`.
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

    /// Returns `secret`, sealed under `key` and `context`.
    public static func seal(_ secret: borrowing Key, under key: borrowing Key, context: RawSpan) -> [UInt8] {
        let message = UnsafeRawBufferPointer(start: secret.base, count: Key.count).bytes
        return seal(message, under: key, context: context)
    }

    /// Returns the message in `box`. Returns nil if the box was sealed under another key or context, or was changed.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func open(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> SecureBytes? {
        guard box.byteCount >= overhead else { return nil }
        var message = try SecureBytes(count: box.byteCount - overhead)
        guard message.withMutableBytes({ open(box, under: key, context: context, into: $0) }) else { return nil }
        return message
    }

    /// Returns the key in `box`. Returns nil if the box does not open, or holds something other than a key.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func openKey(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> Key? {
        guard box.byteCount == Key.count + overhead else { return nil }
        let inner = try Key()
        let target = UnsafeMutableRawBufferPointer(start: inner.base, count: Key.count)
        guard open(box, under: key, context: context, into: target) else { return nil }
        return inner
    }

    /// Opens `box` into `target`, which has the length of the message. Returns false if the box was sealed under another
    /// key or context, or was changed.
    public static func open(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard box.byteCount == target.count + overhead else { return false }
        return box.withPointer { nonce in
            context.withPointer { additional in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    target.assumingMemoryBound(to: UInt8.self).baseAddress, nil, nil, nonce + nonceCount,
                    UInt64(box.byteCount - nonceCount), additional, UInt64(context.byteCount), nonce, key.base) == 0
            }
        }
    }
}
