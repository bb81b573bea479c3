internal import Glibc
package import SodiumKit

/// The head of a file that carries a whole vault to another machine: the cost and the salt that lead from the
/// passphrase to its key.
package struct TransferHead {
    private static let magic = Array("LatchTra".utf8)
    private static let magicOfVersion01 = Array("LkTransf".utf8)
    private static let format: UInt32 = 1

    package let cost: StretchCost
    package let salt: [UInt8]

    package static let count = 8 + 4 + 1 + StretchCost.saltCount
    /// The length of the box of the key, which follows the head.
    static let keyBoxCount = Key.count + CommittedBox.overhead

    package init(cost: StretchCost) {
        self.cost = cost
        salt = Sodium.randomBytes(StretchCost.saltCount)
    }

    package init(_ bytes: [UInt8], _ path: String) throws {
        if bytes.starts(with: Self.magicOfVersion01) { throw VaultError.ofVersion01(path) }
        guard bytes.count == Self.count, bytes.starts(with: Self.magic) else { throw VaultError.notATransfer(path) }
        let found: (UInt32, UInt8) = try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            _ = try reader.read(Self.magic.count)
            return (try reader.number(), try reader.number())
        }
        guard found.0 == Self.format else {
            throw VaultError.newer(path, found: Int(found.0), known: Int(Self.format))
        }
        guard let cost = StretchCost(rawValue: found.1) else { throw VaultError.damaged(.transfer(path)) }
        self.cost = cost
        salt = Array(bytes.suffix(StretchCost.saltCount))
    }

    package var encoded: [UInt8] {
        var bytes = Self.magic
        bytes.write(Self.format)
        bytes.write(cost.rawValue)
        bytes += salt
        return bytes
    }

    /// The context that a piece is sealed with. It has the number of the piece, so that none can be left out or moved.
    package func context(_ piece: Int) -> [UInt8] {
        var context = encoded
        context.write(UInt64(piece))
        return context
    }
}

/// A file that carries a whole vault, while it is written. Each piece is sealed with its number: first the device, then
/// the database in pieces of one size, then an empty piece as the end.
package struct TransferWriter: ~Copyable {
    /// The number of bytes of the database in one piece.
    static let pieceSize = 256 * 1024

    private let head: TransferHead
    private let key: Key
    private let file: NewFileWriter
    private var number = 0

    package init(_ head: TransferHead, under outer: borrowing Key, _ file: NewFileWriter) throws {
        let key = try Key.random()
        let context = head.encoded
        try file.write(context + (try CommittedBox.seal(key, under: outer, context: context.span.bytes)))
        self.head = head
        self.file = file
        self.key = key
    }

    /// Seals and writes one piece.
    package mutating func write(_ piece: RawSpan) throws {
        let context = head.context(number)
        let box = Box.seal(piece, under: key, context: context.span.bytes)
        var length: [UInt8] = []
        length.write(UInt32(box.count))
        try file.write(length)
        try file.write(box)
        number += 1
    }

    /// Writes a file in pieces, and then the end.
    package consuming func finish(with source: borrowing Descriptor) throws {
        var room = [UInt8](repeating: 0, count: Self.pieceSize)
        var offset = 0
        while true {
            let count = try room.withUnsafeMutableBytes { try source.read(into: $0, at: offset) }
            try write(room.span.bytes.extracting(first: count))
            if count == 0 { break }
            offset += count
        }
        try file.finish()
    }
}

/// A file that carries a whole vault, while it is read.
package final class TransferReader {
    package let path: String
    package let head: TransferHead
    private let keyBox: [UInt8]
    private let file: Descriptor

    package init(_ path: String) throws {
        let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)  // opening a pipe would wait for a writer
        guard let start = try file.bytes(TransferHead.count, at: 0) else { throw VaultError.notATransfer(path) }
        head = try TransferHead(start, path)
        guard let keyBox = try file.bytes(TransferHead.keyBoxCount, at: TransferHead.count) else {
            throw VaultError.damaged(.transfer(path))
        }
        self.keyBox = keyBox
        self.path = path
        self.file = file
    }

    private static let firstPiece = TransferHead.count + TransferHead.keyBoxCount
    private static let emptyBox = Box.overhead

    private var damage: VaultError { .damaged(.transfer(path)) }

    /// Throws unless the file has one piece after the other, and ends after the empty one. No key is needed for this,
    /// so a file that was cut off is found before the user types anything.
    package func requireAllPieces() throws {
        var (offset, number) = (Self.firstPiece, 0)
        while true {
            let length = try lengthOfPiece(at: offset)
            offset += 4 + length
            guard try file.bytes(1, at: offset - 1) != nil else { throw damage }
            if length == Self.emptyBox { break }
            number += 1
        }
        guard number >= 2, try file.bytes(1, at: offset) == nil else { throw damage }
    }

    private func lengthOfPiece(at offset: Int) throws -> Int {
        guard let bytes = try file.bytes(4, at: offset) else { throw damage }
        let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (Self.emptyBox...TransferWriter.pieceSize + Box.overhead).contains(length) else { throw damage }
        return length
    }

    private func box(at offset: Int) throws -> [UInt8] {
        guard let box = try file.bytes(try lengthOfPiece(at: offset), at: offset + 4) else { throw damage }
        return box
    }

    private func open(_ box: [UInt8], _ number: Int, _ key: borrowing Key) throws -> SecureBytes {
        let context = head.context(number)
        guard let piece = try Box.open(box.span.bytes, under: key, context: context.span.bytes) else { throw damage }
        return piece
    }

    /// Opens the key of the file. Returns nil if the passphrase is wrong.
    package func key(under outer: borrowing Key) throws -> Key? {
        let (box, context) = (keyBox, head.encoded)
        return try CommittedBox.openKey(box.span.bytes, under: outer, context: context.span.bytes)
    }

    /// Opens every piece: calls `device` with the first one, and `database` with each piece of the database and its
    /// offset.
    package func each(
        _ key: borrowing Key, device: (consuming TransferredDevice) throws -> Void,
        database: (UnsafeRawBufferPointer, _ offset: Int) throws -> Void
    ) throws {
        var (offset, number, place) = (Self.firstPiece, 0, 0)
        while true {
            let box = try box(at: offset)
            let piece = try open(box, number, key)
            offset += 4 + box.count
            let isFirst = number == 0
            number += 1
            try piece.withBytes { piece in
                try piece.withUnsafeBytes { piece in
                    if isFirst {
                        let found: TransferredDevice
                        do { found = try TransferredDevice(decoding: piece) } catch is ByteReader.FormatError {
                            throw damage
                        }
                        try device(found)
                    } else if !piece.isEmpty {
                        try database(piece, place)
                        place += piece.count
                    }
                }
            }
            if !isFirst && box.count == Self.emptyBox { break }
        }
        guard place > 0, try file.bytes(1, at: offset) == nil else { throw damage }
    }
}
