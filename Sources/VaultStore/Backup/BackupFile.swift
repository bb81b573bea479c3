internal import AccessPolicy
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

extension NewFileWriter {
    /// Writes one record: its kind, the length of its box, and the box.
    func write(_ kind: BackupRecord, _ box: [UInt8]) throws {
        var head: [UInt8] = [kind.number]
        head.write(UInt32(box.count))
        try write(head)
        try write(box)
    }
}

/// A backup that is being read.
package final class BackupReader {
    package let path: String
    package let head: BackupHead
    package let anywhere: [UInt8]
    package let sameDevice: [UInt8]
    private let file: Descriptor
    private var offset: Int

    package init(_ path: String) throws {
        let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)  // opening a pipe would wait for a writer
        guard let start = try file.bytes(BackupHead.count, at: 0) else { throw VaultError.notABackup(path) }
        head = try BackupHead(start, path)
        guard let anywhere = try file.bytes(BackupHead.keyBoxCount, at: BackupHead.count),
            let sameDevice = try file.bytes(BackupHead.keyBoxCount, at: BackupHead.count + anywhere.count)
        else { throw VaultError.damaged(.backup(0)) }
        self.anywhere = anywhere
        self.sameDevice = sameDevice
        self.path = path
        self.file = file
        offset = BackupHead.firstRecord
    }

    /// Goes back to the first record.
    func rewind() { offset = BackupHead.firstRecord }

    /// Reads the next record, whose place is `number`. Throws if the file ends before the record does.
    func next(_ number: Int) throws -> (kind: BackupRecord, box: [UInt8]) {
        let (kind, length) = try start(number)
        guard let box = try file.bytes(length, at: offset + 5) else { throw VaultError.damaged(.backup(number)) }
        offset += 5 + length
        return (kind, box)
    }

    /// Reads the kind of the next record and the length of its box.
    private func start(_ number: Int) throws -> (kind: BackupRecord, length: Int) {
        guard let start = try file.bytes(5, at: offset), let kind = BackupRecord(start[0]) else {
            throw VaultError.damaged(.backup(number))
        }
        let length = start[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= SecretSize.limit + 2 * Attributes.limit else { throw VaultError.damaged(.backup(number)) }
        return (kind, length)
    }

    /// Throws unless the file has one record after the other, and ends after the record that ends a backup. No key is
    /// needed for this, so a file that was cut off is found before the user types anything.
    package func requireAllRecords() throws {
        rewind()
        defer { rewind() }
        var number = 0
        while true {
            let (kind, length) = try start(number)
            offset += 5 + length
            switch kind {
            case .item, .leftBehind:
                number += 1
            case .end:
                guard try file.bytes(1, at: offset - 1) != nil, try isAtEnd() else {
                    throw VaultError.damaged(.backup(number))
                }
                return
            }
        }
    }

    /// Returns true at the end of the file.
    package func isAtEnd() throws -> Bool {
        var byte: [UInt8] = [0]
        return try byte.withUnsafeMutableBytes { try file.read(into: $0, at: offset) } == 0
    }

    /// Calls `body` with every item that `keys` open, `ofAnotherDevice` for each item that only its own device could
    /// open, and `leftBehind` with each note about an item that stays behind.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if the backup is incomplete or was changed.
    package func each(
        _ keys: borrowing BackupKeys, _ body: (consuming BackupItem) throws -> Void,
        ofAnotherDevice: () -> Void = {}, leftBehind: (LeftBehind) -> Void = { _ in }
    ) throws {
        rewind()
        var all = try KeyedHash(keys.anywhere)
        var number = 0
        while true {
            let damage = VaultError.damaged(.backup(number))
            let (kind, box) = try next(number)
            let context = backupContext(head, number)
            switch kind {
            case .end:
                guard let end = try Box.open(box.span.bytes, under: keys.anywhere, context: context.span.bytes)
                else { throw damage }
                var expected: [UInt8] = []
                expected.write(UInt64(number))
                expected += all.bytes()
                guard end.withBytes({ Sodium.areEqual($0, expected.span.bytes) }), try isAtEnd() else {
                    throw damage
                }
                return
            case .leftBehind:
                guard let note = try Box.open(box.span.bytes, under: keys.anywhere, context: context.span.bytes)
                else { throw damage }
                leftBehind(
                    try note.withBytes { bytes in
                        try bytes.withUnsafeBytes { bytes in
                            do { return try LeftBehind(decoding: bytes) } catch { throw damage }
                        }
                    })
            case .item(let travel):
                let opened: SecureBytes?? = try keys.with(travel) { key in
                    try Box.open(box.span.bytes, under: key, context: context.span.bytes)
                }
                switch consume opened {
                case .none: ofAnotherDevice()
                case .some(.none): throw damage
                case .some(.some(let bytes)):
                    let item = try bytes.withBytes { bytes in
                        try bytes.withUnsafeBytes { bytes in
                            do { return try BackupItem.decode(bytes) } catch { throw damage }
                        }
                    }
                    try body(item)
                }
            }
            all.add(box.span.bytes)
            number += 1
        }
    }
}
