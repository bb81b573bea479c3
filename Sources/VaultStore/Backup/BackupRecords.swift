package import AccessPolicy
internal import SodiumKit

/// The records of a backup that is being written. Each is sealed with its place, and the last one contains the number
/// of them and a hash over all, so that none can be left out or moved.
package struct BackupRecords: ~Copyable {
    private let head: BackupHead
    private let keys: BackupKeys
    private let writer: NewFileWriter
    private var all: KeyedHash
    private var number = 0

    package init(_ head: BackupHead, _ keys: consuming BackupKeys, _ writer: NewFileWriter) throws {
        self.head = head
        all = try KeyedHash(keys.anywhere)
        self.keys = keys
        self.writer = writer
    }

    package mutating func write(_ item: borrowing BackupItem, _ travel: Travel) throws {
        let bytes = try item.encoded()
        let context = backupContext(head, number)
        let box = keys.with(travel) { key in
            bytes.withBytes { Box.seal($0, under: key, context: context.span.bytes) }
        }
        if let box { try write(.item(travel), box) }
    }

    /// Writes a note about an item that stays behind. Every device that opens the backup can read it.
    package mutating func write(_ note: LeftBehind) throws {
        let context = backupContext(head, number)
        let bytes = note.encoded
        try write(.leftBehind, Box.seal(bytes.span.bytes, under: keys.anywhere, context: context.span.bytes))
    }

    private mutating func write(_ kind: BackupRecord, _ box: [UInt8]) throws {
        try writer.write(kind, box)
        all.add(box.span.bytes)
        number += 1
    }

    /// Writes the record that ends the backup.
    package consuming func end() throws {
        var end: [UInt8] = []
        end.write(UInt64(number))
        end += all.bytes()
        let context = backupContext(head, number)
        try writer.write(.end, Box.seal(end.span.bytes, under: keys.anywhere, context: context.span.bytes))
    }
}
