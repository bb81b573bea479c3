/// A box for data under a key that comes from a password: 32 bytes that commit to the key, then a ``Box``.
///
/// A plain box commits to nothing. An attacker who knows two keys can make a box that opens under both. If the attacker
/// sends such boxes to an owner, the answers narrow down which password is right. A committed box prevents this: it
/// checks the commitment first, and no two keys have the same one. The commitment is a hash under the key, over nonce
/// and context.
///
/// The inner box has a key of its own. So if an attacker cuts off the commitment, the rest does not open as a ``Box``.
public enum CommittedBox: Sendable {
    /// The number of bytes that a committed box is longer than its key.
    public static let overhead = commitmentCount + Box.overhead
    private static let commitmentCount = 32

    /// Returns `secret`, sealed under `key` and `context`.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func seal(
        _ secret: borrowing Key, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> [UInt8] {
        let box = Box.seal(secret, under: try boxKey(key), context: context)
        return try commitment(to: key, of: box.span.bytes, context) + box
    }

    /// Returns the key in `box`. Returns nil if the box was sealed under another key or context, or was changed.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public static func openKey(
        _ box: RawSpan, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> Key? {
        guard box.byteCount == Key.count + overhead else { return nil }
        let inner = box.extracting(droppingFirst: commitmentCount)
        let expected = try commitment(to: key, of: inner, context)
        guard Sodium.areEqual(box.extracting(first: commitmentCount), expected.span.bytes) else { return nil }
        return try Box.openKey(inner, under: try boxKey(key), context: context)
    }

    private static func boxKey(_ key: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(key)
        hash.add("committed box".utf8Span.span.bytes)
        return try hash.key()
    }

    private static func commitment(
        to key: borrowing Key, of box: RawSpan, _ context: RawSpan
    ) throws(SodiumError) -> [UInt8] {
        var hash = try KeyedHash(key)
        hash.add("commitment".utf8Span.span.bytes)
        hash.add(box.extracting(first: Box.nonceCount))
        hash.add(context)
        return hash.bytes()
    }
}
