internal import AccessPolicy
internal import Glibc
internal import SodiumKit

/// A backup while it is written. It has its name only once it is whole.
final class BackupWriter {
    private let path: String
    private let building: String
    private let file: Descriptor
    private var offset = 0
    private var isFinished = false

    init(_ path: String) throws {
        self.path = path
        building =
            path + ".building-" + String(Sodium.randomBytes(6).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }, radix: 36)
        file = try Descriptor(building, O_WRONLY | O_CREAT | O_EXCL)
    }

    deinit { if !isFinished { unlink(building) } }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
        offset += bytes.count
    }

    /// One record: how it travels, its length, its box.
    func write(_ travel: UInt8, _ box: [UInt8]) throws {
        var head: [UInt8] = [travel]
        head.write(UInt32(box.count))
        try write(head)
        try write(box)
    }

    func finish() throws {
        guard fsync(file.number) == 0 else { throw VaultError.afterCall(on: building) }
        guard link(building, path) == 0 else {  // unlike a rename, this replaces nothing
            throw errno == EEXIST ? VaultError.alreadyThere(path) : VaultError.afterCall(on: path)
        }
        unlink(building)
        isFinished = true
        try VaultFolder.synchronize(parentOf: path.contains("/") ? path : "./" + path)
    }
}

/// A backup while it is read.
final class BackupReader {
    let path: String
    let head: BackupHead
    let anywhere: [UInt8]
    let sameDevice: [UInt8]
    private let file: Descriptor
    private var offset = 0

    /// The travel byte of the record that ends a backup.
    static let end: UInt8 = 255

    init(_ path: String) throws {
        let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)  // a pipe would keep us waiting
        let keyBox = Key.count + Box.overhead
        var start = [UInt8](repeating: 0, count: BackupHead.count + 2 * keyBox)
        let count = try start.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        guard count >= BackupHead.count else { throw VaultError.notABackup(path) }
        head = try BackupHead(Array(start[..<BackupHead.count]), path)
        guard count == start.count else { throw VaultError.damaged(.backup(0)) }
        anywhere = Array(start[BackupHead.count..<(BackupHead.count + keyBox)])
        sameDevice = Array(start[(BackupHead.count + keyBox)...])
        offset = start.count
        self.path = path
        self.file = file
    }

    /// Begins with the first record again.
    func rewind() { offset = BackupHead.count + 2 * (Key.count + Box.overhead) }

    /// The next record; a backup that stops before its end is damaged.
    func next(_ number: Int) throws -> (travel: UInt8, box: [UInt8]) {
        var start = [UInt8](repeating: 0, count: 5)
        guard try start.withUnsafeMutableBytes({ try file.read(into: $0, at: offset) }) == 5 else {
            throw VaultError.damaged(.backup(number))
        }
        let length = start[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= SecretSize.limit + 2 * Attributes.limit else { throw VaultError.damaged(.backup(number)) }
        var box = [UInt8](repeating: 0, count: length)
        guard try box.withUnsafeMutableBytes({ try file.read(into: $0, at: offset + 5) }) == length else {
            throw VaultError.damaged(.backup(number))
        }
        offset += 5 + length
        return (start[0], box)
    }

    /// Whether nothing follows.
    func isAtEnd() throws -> Bool {
        var byte: [UInt8] = [0]
        return try byte.withUnsafeMutableBytes { try file.read(into: $0, at: offset) } == 0
    }
}
