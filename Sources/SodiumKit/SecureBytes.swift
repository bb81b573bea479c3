internal import CSodium
internal import Glibc

/// Secret bytes with one owner, wiped when their life ends.
///
/// Up to 64 KiB they are in the locked arena. Larger ones have pages of their own between inaccessible pages. Those
/// pages are left out of core dumps and forked processes and are wiped, but they are not locked, so the system may swap
/// them out.
public struct SecureBytes: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    private let base: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int

    /// The size of the largest secret that is locked against swapping.
    public static let largestLocked = Arena.largest

    /// Creates this many zero bytes, for you to fill.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public init(count: Int) throws(SodiumError) {
        precondition(count >= 0, "a count cannot be negative")
        base = count <= Arena.largest ? try Arena.allocate(count) : try Self.allocatePages(count)
        self.count = count
    }

    /// Creates a copy of `bytes`. Wipe the original yourself.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public init(copying bytes: RawSpan) throws(SodiumError) {
        try self.init(count: bytes.byteCount)
        let target = base
        bytes.withUnsafeBytes { source in
            if let source = source.baseAddress { target.copyMemory(from: source, byteCount: bytes.byteCount) }
        }
    }

    /// Creates a copy of the text in UTF-8. The text itself cannot be wiped, so prefer bytes that never were a
    /// `String`.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public init(_ text: String) throws(SodiumError) {
        var text = text
        text.makeContiguousUTF8()
        try self.init(copying: text.utf8Span.span.bytes)
    }

    deinit {
        if count <= Arena.largest { Arena.free(base, count) } else { Self.freePages(base, count) }
    }

    /// Lends the bytes to `body` for reading.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count).bytes)
    }

    /// Lends the bytes to `body` for writing.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Sets every byte to zero, for memory that is used repeatedly.
    package mutating func wipe() { sodium_memzero(base, count) }

    /// Returns the size of the locked memory that `count` bytes take, for a count up to ``largestLocked``.
    package static func lockedSize(of count: Int) -> Int { BuddyBlocks.size(for: count) }

    /// Returns a copy of the bytes.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public borrowing func copy() throws(SodiumError) -> SecureBytes {
        try withBytes { (bytes) throws(SodiumError) in try SecureBytes(copying: bytes) }
    }

    /// Returns the first `count` bytes, for a result that is shorter than expected.
    ///
    /// - Throws: ``SodiumError`` if no guarded memory is left.
    public consuming func prefix(_ count: Int) throws(SodiumError) -> SecureBytes {
        if count == self.count { return self }
        return try withBytes { (bytes) throws(SodiumError) in
            try SecureBytes(copying: bytes.extracting(first: count))
        }
    }

    /// Returns the bytes as text; nil if they are not valid UTF-8. The text cannot be wiped. Use this to show a secret
    /// to the user, or for an interface that takes nothing else.
    public borrowing func string() -> String? {
        withBytes { bytes in bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) } }
    }

    /// Returns true if both hold the same bytes. The time that this takes does not reveal where they differ.
    public borrowing func equals(_ other: borrowing SecureBytes) -> Bool {
        withBytes { mine in other.withBytes { Sodium.areEqual(mine, $0) } }
    }

    // MARK: - Pages of their own

    private static let page = 4096

    private static func pages(for count: Int) -> Int { (count + page - 1) / page * page }

    private static func allocatePages(_ count: Int) throws(SodiumError) -> UnsafeMutableRawPointer {
        let length = pages(for: count)
        guard let reserved = Arena.reserve(length + 2 * page) else { throw .refused(bytes: count) }
        guard mprotect(reserved + page, length, PROT_READ | PROT_WRITE) == 0 else {
            munmap(reserved, length + 2 * page)
            throw .refused(bytes: count)
        }
        return reserved + page
    }

    private static func freePages(_ base: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(base, count)
        munmap(base - page, pages(for: count) + 2 * page)
    }
}
