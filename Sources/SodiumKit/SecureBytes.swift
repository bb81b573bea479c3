internal import CSodium
internal import Glibc

/// Secret bytes with one owner, wiped when the owner lets go of them.
///
/// Up to 64 KiB they lie in the locked arena. Larger ones have pages of their own between inaccessible ones: out of cores
/// and forked processes and wiped, but not locked, so that the system may swap them out.
public struct SecureBytes: ~Copyable, @unchecked Sendable {  // one owner, so nobody else holds the pointer
    private let base: UnsafeMutableRawPointer
    /// How many there are.
    public let count: Int

    /// The largest secret that is also locked against swapping.
    public static let largestLocked = Arena.largest

    /// So many zero bytes, to be filled in.
    public init(count: Int) throws(SodiumError) {
        precondition(count >= 0, "nothing has fewer than no bytes")
        base = count <= Arena.largest ? try Arena.allocate(count) : try Self.allocatePages(count)
        self.count = count
    }

    /// A copy of `bytes`, whose original is the caller's to wipe.
    public init(copying bytes: RawSpan) throws(SodiumError) {
        try self.init(count: bytes.byteCount)
        let target = base
        bytes.withUnsafeBytes { source in
            if let source = source.baseAddress { target.copyMemory(from: source, byteCount: bytes.byteCount) }
        }
    }

    /// The UTF-8 of `text`. The text itself cannot be wiped: prefer bytes that never were a string.
    public init(_ text: String) throws(SodiumError) {
        var text = text
        text.makeContiguousUTF8()
        try self.init(copying: text.utf8Span.span.bytes)
    }

    deinit {
        if count <= Arena.largest { Arena.free(base, count) } else { Self.freePages(base, count) }
    }

    /// Lends the bytes out for reading.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count).bytes)
    }

    /// Lends the bytes out for writing.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Makes every byte zero, for memory that is used again and again.
    package mutating func wipe() { sodium_memzero(base, count) }

    /// How much locked memory so many bytes take, up to ``largestLocked``.
    package static func lockedSize(of count: Int) -> Int { BuddyBlocks.size(for: count) }

    /// Another owner of the same bytes.
    public borrowing func copy() throws(SodiumError) -> SecureBytes {
        try withBytes { (bytes) throws(SodiumError) in try SecureBytes(copying: bytes) }
    }

    /// The first `count` of them, for what was filled in shorter than expected.
    public consuming func prefix(_ count: Int) throws(SodiumError) -> SecureBytes {
        if count == self.count { return self }
        return try withBytes { (bytes) throws(SodiumError) in
            try SecureBytes(copying: bytes.extracting(first: count))
        }
    }

    /// The bytes as a text, nil where they are none. The text is the caller's, and cannot be wiped: for showing it to somebody,
    /// or for interfaces that take nothing else.
    public borrowing func string() -> String? {
        withBytes { bytes in bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) } }
    }

    /// Returns true if both hold the same, in a time that does not tell where they differ.
    public borrowing func equals(_ other: borrowing SecureBytes) -> Bool {
        withBytes { mine in other.withBytes { Sodium.areEqual(mine, $0) } }
    }

    // MARK: - Pages of their own

    private static let page = 4096

    private static func pages(for count: Int) -> Int { (count + page - 1) / page * page }

    private static func allocatePages(_ count: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        let length = pages(for: count)
        guard let reserved = Arena.reserve(length + 2 * page) else { throw .outOfMemory(bytes: count) }
        guard mprotect(reserved + page, length, PROT_READ | PROT_WRITE) == 0 else {
            munmap(reserved, length + 2 * page)
            throw .outOfMemory(bytes: count)
        }
        return reserved + page
    }

    private static func freePages(_ base: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(base, count)
        munmap(base - page, pages(for: count) + 2 * page)
    }
}
