internal import Glibc
internal import SodiumKit

/// The content of a sealed file, which one caller at a time reads or changes.
///
/// A piece that has content is never written over before its new form is complete at the end of the file, and the head
/// says where. So a process that ends, and a disk that is full, lose nothing that was there.
struct FileContent {
    private let descriptor: Int32
    private let path: String
    private(set) var header: FileHeader
    /// The number of bytes of content.
    private(set) var size: Int

    /// Reads the size of the content.
    ///
    /// - Throws: ``FileError/damaged(_:)`` if the file is too short for it.
    init(
        of descriptor: Int32, _ path: String, _ header: FileHeader, _ key: borrowing Key
    ) throws(FileError) {
        self.descriptor = descriptor
        self.path = path
        self.header = header
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path, errno) }
        guard let size = try onKeys(path, header.size(under: key)),
            size <= Chunk.largest, Int(status.st_size) >= Chunk.fileLength(of: size)
        else { throw .damaged(path) }
        self.size = size
    }

    /// Begins the content of a new file.
    init(new descriptor: Int32, _ path: String, _ header: FileHeader) {
        self.descriptor = descriptor
        self.path = path
        self.header = header
        size = 0
    }

    // MARK: - Reading

    /// Reads the content from this offset into `target`, which may be no longer than the rest of it.
    func read(
        at offset: Int, into target: UnsafeMutableRawBufferPointer, _ key: borrowing Key
    ) throws(FileError) {
        var scratch = [UInt8](repeating: 0, count: Chunk.stride)
        let end = offset + target.count
        var place = offset
        while place < end {
            let number = place / Chunk.size
            let (skipped, length) = (place % Chunk.size, Chunk.length(number, of: size))
            let count = min(end - place, length - skipped)
            let part = UnsafeMutableRawBufferPointer(rebasing: target[(place - offset)..<(place - offset + count)])
            if count == length {
                try open(number, into: part, key, &scratch)
            } else {
                var piece = [UInt8](repeating: 0, count: length)
                try piece.lendMutable { (piece) throws(FileError) in
                    try open(number, into: piece, key, &scratch)
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[skipped..<(skipped + count)]))
                }
            }
            place += count
        }
    }

    /// Opens a piece into `target`, which has the length of its content. A process that ended may have left the piece
    /// longer.
    private func open(
        _ number: Int, into target: UnsafeMutableRawBufferPointer, _ key: borrowing Key, _ scratch: inout [UInt8]
    ) throws(FileError) {
        let context = Chunk.context(number, of: header.id)
        let place = header.mark.flatMap { $0.number == number ? $0.place : nil } ?? Chunk.place(number)
        let found = try scratch.lendMutable { (scratch) throws(FileError) in
            try readFully(descriptor, path, into: scratch, at: place)
        }
        guard let length = Chunk.length(in: scratch, found), length >= target.count else { throw .damaged(path) }
        let isOpen = scratch.withUnsafeBytes { scratch in
            let box = UnsafeRawBufferPointer(rebasing: scratch[Chunk.prefix..<(Chunk.overhead + length)]).bytes
            if length == target.count { return Box.open(box, under: key, context: context.span.bytes, into: target) }
            return withUnsafeTemporaryAllocation(byteCount: length, alignment: 16) { whole in
                guard Box.open(box, under: key, context: context.span.bytes, into: whole) else { return false }
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[..<target.count]))
                return true
            }
        }
        guard isOpen else { throw .damaged(path) }
    }

    // MARK: - Writing

    /// Writes the head of a new file, whose content is empty.
    mutating func begin(_ key: borrowing Key) throws(FileError) { try setSize(0, key) }

    /// Writes `bytes` at this offset. A gap before them is filled with zeros.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ key: borrowing Key
    ) throws(FileError) {
        guard offset <= Chunk.largest, bytes.count <= Chunk.largest - offset else { throw .system(path, EFBIG) }
        if bytes.isEmpty { return }
        try change(key) { (content, key) throws(FileError) in
            if offset > content.size { try content.grow(to: offset, key) }
            let end = offset + bytes.count
            var place = offset
            while place < end {
                let (number, skipped) = (place / Chunk.size, place % Chunk.size)
                let former = Chunk.length(number, of: content.size)
                let count = min(end - place, Chunk.size - skipped)
                let part = UnsafeRawBufferPointer(rebasing: bytes[(place - offset)..<(place - offset + count)])
                if skipped == 0, count >= former {
                    try content.put(number, part, replacing: former, before: end, key)
                } else {
                    let length = max(former, skipped + count)
                    try content.change(number, from: former, to: length, before: end, key) { piece in
                        UnsafeMutableRawBufferPointer(rebasing: piece[skipped..<(skipped + count)])
                            .copyMemory(from: part)
                    }
                }
                place += count
            }
            if end > content.size { try content.setSize(end, key) }
        }
    }

    /// Cuts the content to this size, or fills it up with zeros.
    mutating func resize(to next: Int, _ key: borrowing Key) throws(FileError) {
        guard next <= Chunk.largest else { throw .system(path, EFBIG) }
        if next == size { return }
        if next == 0 {
            // No piece is needed any more, so a full disk does not keep this from making room.
            var changed = header
            changed.mark = nil
            changed.setSize(0, under: key)
            try write(changed)
            size = 0
            guard ftruncate(descriptor, off_t(FileHeader.count)) == 0 else { throw .system(path, errno) }
            return
        }
        try change(key) { (content, key) throws(FileError) in
            if next > content.size { return try content.grow(to: next, key) }
            let former = content.size
            try content.setSize(next, key)
            if next % Chunk.size != 0 {
                let number = next / Chunk.size
                let length = Chunk.length(number, of: former)
                try content.change(number, from: length, to: next % Chunk.size, before: former, key) { _ in }
            }
        }
    }

    /// Runs `body`, which changes the content, and cuts the file behind its last piece. If `body` fails, this first
    /// completes the piece that it was writing over.
    private mutating func change(
        _ key: borrowing Key, _ body: (inout FileContent, borrowing Key) throws(FileError) -> Void
    ) throws(FileError) {
        try settle()
        do { try body(&self, key) } catch {
            // Until a piece is complete in its place, its new form behind the end has to stay.
            if (try? settle()) != nil, let end = try? endOfPieces() { ftruncate(descriptor, off_t(end)) }
            throw error
        }
        try clearMark()
        guard ftruncate(descriptor, off_t(try endOfPieces())) == 0 else { throw .system(path, errno) }
    }

    /// Returns the end of the last piece, which may be longer than the size of the content says.
    private func endOfPieces() throws(FileError) -> Int {
        let usual = Chunk.fileLength(of: size)
        guard size % Chunk.size != 0 else { return usual }
        let place = Chunk.place(size / Chunk.size)
        var prefix = [UInt8](repeating: 0, count: Chunk.prefix)
        _ = try prefix.lendMutable { (prefix) throws(FileError) in
            try readFully(descriptor, path, into: prefix, at: place)
        }
        let length = prefix.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        return max(usual, place + Chunk.overhead + min(length, Chunk.size))
    }

    /// Writes the head without its mark. The marked piece has to be complete in its place.
    private mutating func clearMark() throws(FileError) {
        guard header.mark != nil else { return }
        var changed = header
        changed.mark = nil
        try write(changed)
    }

    private mutating func write(_ changed: FileHeader) throws(FileError) {
        try writeFully(changed.bytes, to: descriptor, path, at: 0)
        header = changed
    }

    /// Completes a change in the middle of which a process ended.
    private mutating func settle() throws(FileError) {
        guard let mark = header.mark else { return }
        var piece = [UInt8](repeating: 0, count: Chunk.stride)
        let found = try piece.lendMutable { (piece) throws(FileError) in
            try readFully(descriptor, path, into: piece, at: mark.place)
        }
        guard let length = Chunk.length(in: piece, found) else { throw .damaged(path) }
        try writeFully(Array(piece[..<(Chunk.overhead + length)]), to: descriptor, path, at: Chunk.place(mark.number))
        try clearMark()
    }

    private mutating func grow(to next: Int, _ key: borrowing Key) throws(FileError) {
        var place = size
        while place < next {
            let (number, former) = (place / Chunk.size, place % Chunk.size)
            let length = Chunk.length(number, of: next)
            try change(number, from: former, to: length, before: next, key) { _ in }
            place = number * Chunk.size + length
        }
        try setSize(next, key)
    }

    /// Seals a piece anew, with this length, after `body` has changed it.
    private mutating func change(
        _ number: Int, from former: Int, to length: Int, before end: Int, _ key: borrowing Key,
        _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(FileError) {
        var piece = [UInt8](repeating: 0, count: max(former, length))
        if former > 0 {
            var scratch = [UInt8](repeating: 0, count: Chunk.stride)
            try piece.lendMutable { (piece) throws(FileError) in
                try open(number, into: UnsafeMutableRawBufferPointer(rebasing: piece[..<former]), key, &scratch)
            }
        }
        piece.removeLast(piece.count - length)
        piece.withUnsafeMutableBytes(body)
        try piece.lend { (piece) throws(FileError) in
            try put(number, piece, replacing: former, before: end, key)
        }
    }

    /// Seals a piece and writes it. `end` is the size of the content after the change: the new form of a piece that has
    /// content goes behind it first.
    private mutating func put(
        _ number: Int, _ piece: UnsafeRawBufferPointer, replacing former: Int, before end: Int, _ key: borrowing Key
    ) throws(FileError) {
        let context = Chunk.context(number, of: header.id)
        var bytes = withUnsafeBytes(of: UInt32(piece.count).littleEndian) { Array($0) }
        bytes.reserveCapacity(piece.count + Chunk.overhead)
        Box.seal(piece.bytes, under: key, context: context.span.bytes, onto: &bytes)
        if former > 0 {
            let spare = Chunk.place(Chunk.count(of: max(size, end)))
            let mark = FileHeader.Mark(number: number, place: spare)
            // The piece with the present mark is complete in its place, so nothing needs what is at the end.
            if header.mark?.place == spare { try clearMark() }
            try writeFully(bytes, to: descriptor, path, at: spare)
            var changed = header
            changed.mark = mark
            try write(changed)
        } else if header.mark?.place == Chunk.place(number) {
            try clearMark()
        }
        try writeFully(bytes, to: descriptor, path, at: Chunk.place(number))
    }

    private mutating func setSize(_ next: Int, _ key: borrowing Key) throws(FileError) {
        var changed = header
        changed.setSize(next, under: key)
        try write(changed)
        size = next
    }
}
