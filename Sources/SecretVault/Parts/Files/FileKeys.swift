internal import AccessPolicy
internal import SodiumKit

/// The keys of a class of files. They follow from the class key of the items, so they come and go with it.
///
/// The key of a file is random. It is wrapped under the key of its class. For class B it is sealed to a public key
/// instead, so that a locked device can create files that it cannot open.
struct FileKeys: ~Copyable {
    private let classKey: Key

    private static let purpose: StaticString = "filekeys"

    init(_ open: borrowing OpenClassKey) throws(SodiumError) { classKey = try open.key.derive(1, Self.purpose) }

    /// Returns the key of a file, wrapped for `identity`.
    func wrap(_ key: borrowing Key, _ protection: FileProtection, _ identity: RawSpan) throws(SodiumError) -> [UInt8] {
        guard protection == .completeUnlessOpen else {
            return Box.seal(key, under: try wrapping(protection), context: identity)
        }
        return try Self.seal(key, to: publicHalf(), identity)
    }

    /// Returns the key in `wrapped`; nil if it was wrapped for another file, class or device, or changed.
    func open(
        _ wrapped: RawSpan, _ protection: FileProtection, _ identity: RawSpan
    ) throws(SodiumError) -> Key? {
        guard protection == .completeUnlessOpen else {
            return try Box.openKey(wrapped, under: try wrapping(protection), context: identity)
        }
        guard wrapped.byteCount > Key.count else { return nil }
        let ephemeral = wrapped.extracting(first: Key.count)
        let secret = try secretHalf()
        guard let shared = try Agreement.key(secret, with: ephemeral) else { return nil }
        let half = Agreement.publicHalf(of: secret)
        let key = try Self.agreed(shared, ephemeral, half.span.bytes)
        return try Box.openKey(wrapped.extracting(droppingFirst: Key.count), under: key, context: identity)
    }

    /// Returns the public half of the key of class B.
    func publicHalf() throws(SodiumError) -> [UInt8] { Agreement.publicHalf(of: try secretHalf()) }

    /// Returns the key of a file, sealed to the public half of the key of class B. It needs no secret of the device.
    static func seal(
        _ key: borrowing Key, to half: [UInt8], _ identity: RawSpan
    ) throws(SodiumError) -> [UInt8] {
        let once = try Key.random()
        let ephemeral = Agreement.publicHalf(of: once)
        guard let shared = try Agreement.key(once, with: half.span.bytes) else {
            fatalError("the public half was sealed by this device, so it is valid")
        }
        let outer = try agreed(shared, ephemeral.span.bytes, half.span.bytes)
        return ephemeral + Box.seal(key, under: outer, context: identity)
    }

    private static func agreed(
        _ shared: borrowing Key, _ ephemeral: RawSpan, _ half: RawSpan
    ) throws(SodiumError) -> Key {
        var hash = try KeyedHash(shared)
        hash.add("file of class B".utf8Span.span.bytes)
        hash.add(ephemeral)
        hash.add(half)
        return try hash.key()
    }

    private func wrapping(_ protection: FileProtection) throws(SodiumError) -> Key {
        try classKey.derive(UInt64(protection.rawValue), Self.purpose)
    }

    private func secretHalf() throws(SodiumError) -> Key { try wrapping(.completeUnlessOpen) }

    // MARK: - The half for a locked device

    /// Returns the public half of class B, sealed under the keys of class D so that no other program can replace it.
    func seal(half: [UInt8]) throws(SodiumError) -> [UInt8] {
        Box.seal(half.span.bytes, under: try wrapping(.none), context: "public half of class B".utf8Span.span.bytes)
    }

    /// Returns the public half in a box of ``seal(half:)``; nil if another device made it, or it was changed.
    func open(half box: RawSpan) throws(SodiumError) -> [UInt8]? {
        let opened = try Box.open(
            box, under: try wrapping(.none), context: "public half of class B".utf8Span.span.bytes)
        return opened?.withBytes { $0.withUnsafeBytes { [UInt8]($0) } }
    }
}
