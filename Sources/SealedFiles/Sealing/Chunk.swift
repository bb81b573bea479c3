internal import SodiumKit

/// The pieces of the content of a file. Each is sealed by itself with its number, so that a large file is read and
/// written piece by piece, and pieces cannot change places.
///
/// A piece begins with its length, four bytes. If a process ended in the middle of a change, the piece may be longer than
/// the size of the file says, never shorter: the size is written after the pieces when the content grows, and before them
/// when it shrinks.
package enum Chunk {
    /// The number of bytes of content in a full piece.
    package static let size = 64 * 1024
    /// The number of bytes that a piece takes beyond its content.
    static let overhead = prefix + Box.overhead
    /// The number of bytes that a full piece takes in the file.
    package static let stride = size + overhead
    /// The number of bytes of the length.
    static let prefix = 4

    /// Returns the place in the file of the piece with this number.
    package static func place(_ number: Int) -> Int { FileHeader.count + number * stride }

    /// Returns the number of pieces of a content of this size.
    static func count(of size: Int) -> Int { size / Self.size + (size % Self.size == 0 ? 0 : 1) }

    /// Returns the number of bytes of content in a piece.
    static func length(_ number: Int, of size: Int) -> Int { max(0, min(Self.size, size - number * Self.size)) }

    /// Returns the number of bytes of content in the piece at the beginning of `bytes`, of which `found` were read; nil if
    /// there is no whole piece.
    static func length(in bytes: [UInt8], _ found: Int) -> Int? {
        guard found >= overhead else { return nil }
        let length = bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        return length <= size && found >= overhead + length ? length : nil
    }

    package static func fileLength(of size: Int) -> Int { FileHeader.count + size + count(of: size) * overhead }

    /// The largest content. The length of its file still fits into a number.
    static let largest = Int.max / 4

    /// Returns the bytes with which a piece is sealed.
    static func context(_ number: Int, of id: [UInt8]) -> [UInt8] {
        id + withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
    }
}
