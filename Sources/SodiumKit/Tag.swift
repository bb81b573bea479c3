internal import CSodium

/// A SipHash-2-4 tag with 128 bits: a fast keyed hash, for index columns and for headers that are checked at every
/// read.
@frozen
public struct Tag: Hashable, Sendable {
    /// The first half of the bytes, in this machine's byte order.
    public let low: UInt64
    @usableFromInline let high: UInt64

    /// The number of bytes in a tag.
    public static let count = 16

    /// Creates the tag of `bytes` under the first half of `key`.
    public init(of bytes: RawSpan, under key: borrowing Key) {
        var words = (UInt64(0), UInt64(0))
        bytes.withPointer { start in
            withUnsafeMutableBytes(of: &words) { words in
                let target = words.assumingMemoryBound(to: UInt8.self)
                _ = crypto_shorthash_siphashx24(target.start, start, UInt64(bytes.byteCount), key.base)
            }
        }
        (low, high) = words
    }

    /// Creates a tag with these sixteen bytes.
    public init(_ bytes: RawSpan) {
        precondition(bytes.byteCount == Self.count, "a tag has sixteen bytes")
        low = bytes.unsafeLoadUnaligned(as: UInt64.self)
        high = bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// The tag of zeros, which stands for no tag.
    public static let none = Tag(low: 0, high: 0)

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Returns true if both tags are equal. The time that this takes does not reveal where they differ.
    public func equals(_ other: Tag) -> Bool { (low ^ other.low) | (high ^ other.high) == 0 }

    /// Lends the bytes to `body`.
    @inlinable
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let words = (low, high)
        return try withUnsafeBytes(of: words) { (bytes) throws(Failure) in try body(bytes.bytes) }
    }
}
