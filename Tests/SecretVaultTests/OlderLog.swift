import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit

/// A log from before logs had a limit, written as docs/vault-format.md describes it: pages of one chain, and a ledger
/// with the number of records and the tag of the last page.
struct OlderLog {
    private var page: [UInt8] = []
    private var pages: [(first: Int64, box: [UInt8])] = []
    private var (count, first): (Int64, Int64) = (0, 1)
    private var tag = [UInt8](repeating: 0, count: 16)
    private let audit: Held
    private let ledger: Held

    private final class Held {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }

    /// Creates a log for the vault with the device file at `path`.
    init(deviceFile path: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        // The first block has 24 bytes of head, 16 bytes of vault id, and then the fixed key.
        let fixed = try Key(copying: [UInt8](bytes[40..<72]).span.bytes)
        let (first, second) = (try Held(fixed.derive(4, "Latchkey")), try Held(fixed.derive(3, "Latchkey")))
        (audit, ledger) = (first, second)
    }

    /// Adds a record. A page has 256 of them.
    mutating func add(_ kind: UInt8, subject: [UInt8], _ action: String, by caller: String, rule: String, hour: Int64) {
        page.append(kind)
        append(UInt64(7), UInt64(count))
        append(subject)
        append(Array(action.utf8))
        append(Array(caller.utf8))
        page.append(1)
        append(Array(rule.utf8))
        append(UInt32(1))
        append(hour)
        count += 1
        if count - first >= 255 { end() }
    }

    private mutating func append(_ numbers: any FixedWidthInteger...) {
        for number in numbers { Self.append(number, to: &page) }
    }

    private mutating func append(_ bytes: [UInt8]) {
        append(UInt32(bytes.count))
        page += bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func end() {
        guard !page.isEmpty else { return }
        var context = Array("audit".utf8)
        Self.append(first, to: &context)
        context += tag
        let box = Box.seal(page.span.bytes, under: audit.key, context: context.span.bytes)
        pages.append((first, box))
        tag = Array(box.suffix(16))
        first = count + 1
        page.removeAll()
    }

    /// Writes the log into the vault at `path`, which has the tables of that time and has never been opened.
    mutating func write(to path: String) throws {
        end()
        let database = try RawDatabase(path + "/vault.db")
        try database.run("BEGIN")
        for page in pages {
            try database.run("INSERT INTO audit (record, sealed) VALUES (\(page.first), ?)", page.box)
        }
        let context = Array("ledger".utf8)
        let box = try database.blobs("SELECT sealed FROM ledger")[0]
        guard let opened = try Box.open(box.span.bytes, under: ledger.key, context: context.span.bytes) else {
            throw RawDatabase.Failure(text: "the ledger does not open")
        }
        // Skip the format. The nine numbers after it are the same in both formats.
        var bytes = opened.withBytes { $0.withUnsafeBytes { Array($0[1..<73]) } }
        Self.append(count, to: &bytes)
        bytes += tag
        let older = Box.seal(bytes.span.bytes, under: ledger.key, context: context.span.bytes)
        try database.run("UPDATE ledger SET sealed = ?", older)
        try database.run("COMMIT")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
