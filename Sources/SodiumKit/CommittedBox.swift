/// A box for what lies under a key that comes from a password: 32 bytes that commit to the key, then a ``Box``.
///
/// A box alone commits to nothing. An attacker who knows two keys can make a box that opens under both, and one such box sent to an
/// owner tells from the answer which of many passwords is the right one. Here the commitment is checked first, and no two keys
/// have the same: it is a hash under the key, over nonce and context.
///
/// The box inside lies under a key of its own. So what is left when the commitment is taken away is no ``Box`` that opens.
public enum CommittedBox: Sendable {
    /// How much longer it is than what is in it.
    public static let overhead = commitmentCount + Box.overhead
    private static let commitmentCount = 32

    /// Returns `secret`, sealed under `key` together with `context`.
    public static func seal(
        _ secret: borrowing Key, under key: borrowing Key, context: RawSpan
    ) throws(SodiumError) -> [UInt8] {
        let box = Box.seal(secret, under: try boxKey(key), context: context)
        return try commitment(to: key, of: box.span.bytes, context) + box
    }

    /// Returns the key in `box`; nil when it was not sealed under `key` with this `context`, or is no longer what it was.
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
