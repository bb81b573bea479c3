/// Secret bytes whose number is not known in advance, such as those read from a pipe. The buffer grows by moving into
/// new ``SecureBytes``; the old ones are wiped.
package struct SecureBuffer: ~Copyable, Sendable {
    private var storage: SecureBytes
    /// The number of bytes in the buffer.
    package private(set) var count = 0

    /// Creates an empty buffer with room for this many bytes.
    package init(capacity: Int = 256) throws(SodiumError) { storage = try SecureBytes(count: max(1, capacity)) }

    /// Makes room for this many more bytes.
    package mutating func reserve(_ more: Int) throws(SodiumError) {
        guard count + more > storage.count else { return }
        var larger = try SecureBytes(count: max(2 * storage.count, count + more))
        let filled = count
        storage.withBytes { old in
            larger.withMutableBytes { new in
                old.extracting(first: filled).withUnsafeBytes { new.copyMemory(from: $0) }
            }
        }
        storage = larger
    }

    /// Appends a copy of `bytes`.
    package mutating func append(_ bytes: RawSpan) throws(SodiumError) {
        try reserve(bytes.byteCount)
        let filled = count
        storage.withMutableBytes { target in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyMemory(from: $0) }
        }
        count += bytes.byteCount
    }

    package mutating func append(_ byte: UInt8) throws(SodiumError) {
        try reserve(1)
        let place = count
        storage.withMutableBytes { $0[place] = byte }
        count += 1
    }

    /// Lends room for at least `atLeast` more bytes to `fill`, which returns how many it has filled.
    package mutating func fill(
        atLeast: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(SodiumError) {
        try reserve(atLeast)
        let filled = count
        count += storage.withMutableBytes { target in
            fill(UnsafeMutableRawBufferPointer(rebasing: target[filled...]))
        }
    }

    /// Lends the bytes to `body` for reading.
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let filled = count
        return try storage.withBytes { (bytes) throws(Failure) in try body(bytes.extracting(first: filled)) }
    }

    /// Lends the bytes to `body` for writing.
    package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let filled = count
        return try storage.withMutableBytes { (bytes) throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(rebasing: bytes[..<filled]))
        }
    }

    /// Returns the bytes, without the unused room behind them.
    package consuming func bytes() throws(SodiumError) -> SecureBytes {
        let filled = count
        return try storage.prefix(filled)
    }
}
