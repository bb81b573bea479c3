package import AccessPolicy
internal import SodiumKit

/// The head of a sealed file: its class, its identity and its wrapped key, and its sealed size.
///
///     0    "LKFILE1\n"
///     8    the class: 1 to 4
///     9    1 if backups leave the file out
///     10   the number of bytes of the wrapped key
///     12   the identity, 16 random bytes
///     28   the wrapped key, up to 108 bytes
///     136  the size, sealed under the key of the file
///     184  the number of a piece that is being written over
///     188  the place of its new form; zero if there is none
///     196  the size as it is, for those without the key
///     204  zeros
///
/// The class and the identity are authenticated by the wrapped key, and the size by its seal. The other fields reveal and
/// open nothing.
package struct FileHeader {
    /// The number of bytes of a head.
    package static let count = 256
    private static let magic = Array("LKFILE1\n".utf8)
    private static let wrappedPlace = 28
    private static let sizePlace = 136
    private static let sizeCount = 8 + Box.overhead
    private static let longestKey = sizePlace - wrappedPlace

    /// A piece that is being written over, and where its new form is complete.
    struct Mark: Equatable {
        var number: Int
        var place: Int
    }

    var protection: FileProtection
    /// True if backups leave the file out.
    package var isExcludedFromBackup = false
    let id: [UInt8]
    var wrapped: [UInt8]
    var mark: Mark?
    /// The size of the content, for callers without the key. Only ``size(under:)`` is certain.
    private(set) var plainSize = 0
    private var sealedSize: [UInt8]

    /// Creates the head of a new file.
    package init(_ protection: FileProtection, id: [UInt8], wrapped: [UInt8]) {
        self.protection = protection
        self.id = id
        self.wrapped = wrapped
        sealedSize = [UInt8](repeating: 0, count: Self.sizeCount)
    }

    /// Returns true if a file begins with these bytes because it is sealed, or was before it was damaged.
    static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Reads a head; nil if it is damaged.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count, Self.isSealed(bytes), let protection = FileProtection(rawValue: bytes[8])
        else { return nil }
        let length = Int(bytes[10]) | Int(bytes[11]) << 8
        guard length <= Self.longestKey else { return nil }
        self.protection = protection
        isExcludedFromBackup = bytes[9] & 1 != 0
        id = Array(bytes[12..<28])
        wrapped = Array(bytes[Self.wrappedPlace..<(Self.wrappedPlace + length)])
        sealedSize = Array(bytes[Self.sizePlace..<(Self.sizePlace + Self.sizeCount)])
        let (number, place, size) = bytes.withUnsafeBytes { bytes in
            (
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 184, as: UInt32.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 188, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 196, as: UInt64.self))
            )
        }
        plainSize = Int(clamping: size)
        guard place > 0 else { return }
        guard let place = Int(exactly: place), place >= Self.count, place <= Int.max / 2 else { return nil }
        mark = Mark(number: Int(number), place: place)
    }

    package var bytes: [UInt8] {
        precondition(wrapped.count <= Self.longestKey, "a wrapped key has at most \(Self.longestKey) bytes")
        var bytes = Self.magic
        bytes += [protection.rawValue, isExcludedFromBackup ? 1 : 0]
        bytes += [UInt8(truncatingIfNeeded: wrapped.count), UInt8(truncatingIfNeeded: wrapped.count >> 8)]
        bytes += id
        bytes += wrapped
        bytes += [UInt8](repeating: 0, count: Self.sizePlace - bytes.count)
        bytes += sealedSize
        withUnsafeBytes(of: UInt32(mark?.number ?? 0).littleEndian) { bytes += $0 }
        withUnsafeBytes(of: UInt64(mark?.place ?? 0).littleEndian) { bytes += $0 }
        withUnsafeBytes(of: UInt64(plainSize).littleEndian) { bytes += $0 }
        bytes += [UInt8](repeating: 0, count: Self.count - bytes.count)
        return bytes
    }

    /// The bytes with which the key of the file is wrapped: another file or class cannot use it.
    var identity: [UInt8] { Self.identity(id, protection) }

    static func newID() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: .min ... .max) } }

    static func identity(_ id: [UInt8], _ protection: FileProtection) -> [UInt8] { id + [protection.rawValue] }

    // MARK: - The size

    private var sizeContext: [UInt8] { id + Array("size".utf8) }

    /// Returns the size of the content; nil if it is not the one that was sealed.
    func size(under key: borrowing Key) throws(SodiumError) -> Int? {
        let context = sizeContext
        let opened = try Box.open(sealedSize.span.bytes, under: key, context: context.span.bytes)
        let size = opened?.withBytes { bytes in
            UInt64(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
        }
        return size.flatMap { Int(exactly: $0) }
    }

    mutating func setSize(_ size: Int, under key: borrowing Key) {
        plainSize = size
        let context = sizeContext
        let number = UInt64(size).littleEndian
        sealedSize = withUnsafeBytes(of: number) { Box.seal($0.bytes, under: key, context: context.span.bytes) }
    }
}
