internal import AccessPolicy
internal import SodiumKit

/// What is wrong with a vault.
public enum Finding: Hashable, Sendable, CustomStringConvertible {
    /// SQLite itself finds the file inconsistent.
    case structure(String)
    /// A row is not what was written.
    case damaged(row: Int64, String)
    /// A row is older than it should be, or was exchanged.
    case changed(row: Int64)
    /// A row is gone.
    case missing(row: Int64)
    /// A row is there that should not be.
    case added(row: Int64)
    /// Several rows are gone, older or added, and cannot be told apart.
    case several(expected: UInt64, found: UInt64)
    /// A secret without its item.
    case strayedSecret(row: Int64)
    /// The sealed account of all items is damaged.
    case ledger
    /// The database has seen fewer commits than the device.
    case older(database: UInt64, device: UInt64)
    /// The live part of the audit log is not whole from this record on.
    case audit(Int64)
    /// A part of the archive of the audit log is not whole from this record on.
    case archive(String, Int64)
    /// A part of the audit log was damaged between these records, and they have made room for others since.
    case lost(String, first: Int64, last: Int64)

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .structure(let message): "the database: \(message)"
        case .damaged(let row, let what): "row \(row): \(what)"
        case .changed(let row): "row \(row): it is not the version that was written last"
        case .missing(let row): "row \(row): it is gone"
        case .added(let row): "row \(row): it does not belong here"
        case .several(let expected, let found):
            "\(expected) items should be there and \(found) are whole; several rows are gone, older or added"
        case .strayedSecret(let row): "row \(row): a secret without an item"
        case .ledger: "the sealed account of all items is damaged"
        case .older(let database, let device):
            "the database has seen \(database) changes, the device \(device): it is an older copy"
        case .audit(let record): "the audit log is not whole from record \(record) on"
        case .archive(let share, let record):
            "the archive of the audit log is not whole: of its \(share), from record \(record) on"
        case .lost(let part, let first, let last):
            "the audit log lost what was damaged of its \(part), between record \(first) and record \(last)"
        }
    }
}

/// What looking at everything in a vault came to.
public struct VerifyReport: Hashable, Sendable {
    /// How many items are whole.
    public var items = 0
    /// How many of them were also opened, because their class is open and they ask for nothing.
    public var opened = 0
    /// What is wrong; nothing, if nothing is.
    public var findings: [Finding] = []
}

extension Store {
    /// Looks at every row, at the account of all of them, the counter and the audit log. Changes nothing.
    func verify(_ seals: ItemSeals) throws -> VerifyReport {
        let counted = try keys.counter()  // before the database, which may only be ahead of it
        return try atOneMoment {
            var report = VerifyReport()
            for line in try integrity() where line != "ok" { report.findings.append(.structure(line)) }
            do {
                try check(against: counted, &report) { try seals.opensAlone($0) }
            } catch let error as StorageError where error.isCorruption {
                report.findings.append(.structure(error.message))
            }
            guard let account = try? ledger().audit else { return report }
            for chain in AuditChain.all {
                let lost = chain.lost(in: account)
                if lost.first > 0 {
                    report.findings.append(.lost(chain.word, first: lost.first, last: lost.last))
                }
                guard let damage = try damage(of: chain, account) else { continue }
                switch chain {
                case .live: report.findings.append(.audit(damage))
                case .archive(let share): report.findings.append(.archive(share.word, damage))
                }
            }
            return report
        }
    }

    /// Looks at every row, and at the sealed account of all of them. `counted` is the number of commits that the device has
    /// seen. `opens` opens what needs no authentication, and returns false for the rest.
    private func check(
        against counted: UInt64, _ report: inout VerifyReport, opening opens: (RecordView) throws -> Bool
    ) throws {
        var found = ItemSums()
        var damaged: [Int64] = []
        var rows: [Int64] = []
        var ids: Set<ItemIdentifier> = []
        let scan = try connection.prepare(
            "SELECT row, record, class, id, \(IndexColumn.allCases.map(\.name).joined(separator: ", ")) "
                + "FROM items NOT INDEXED")
        while try scan.step() {
            let row = scan.number(0)
            do {
                guard let bytes = scan.bytes(1) else { throw RecordError("there is no record") }
                let record = try RecordView(bytes, row: row, fixed.header)
                try checkColumns(scan, record)
                let entry = try entry(of: record)
                guard ids.insert(record.header.id).inserted else { throw RecordError("it is there twice") }
                if try opens(record) { report.opened += 1 }
                found.add(entry)  // only of what is whole: what is not is named already, and left out below
                rows.append(row)
                report.items += 1
            } catch let fault as RecordError {
                damaged.append(row)
                report.findings.append(.damaged(row: row, fault.text))
            } catch VaultError.damaged {
                damaged.append(row)
                report.findings.append(.damaged(row: row, "it is not what was written"))
            }
        }
        let strayed = try connection.prepare("SELECT row FROM secrets WHERE row NOT IN (SELECT row FROM items)")
        while try strayed.step() { report.findings.append(.strayedSecret(row: strayed.number(0))) }
        let sealed: Ledger
        do {
            sealed = try ledger()
        } catch VaultError.damaged(.ledger) {
            report.findings.append(.ledger)
            return
        }
        if sealed.commits < counted { report.findings.append(.older(database: sealed.commits, device: counted)) }
        report.findings += Self.difference(between: sealed.items, and: found, rows, damaged)
    }

    /// Which row it is that makes the difference, as far as that can be told.
    private static func difference(
        between sealed: ItemSums, and found: ItemSums, _ rows: [Int64], _ damaged: [Int64]
    ) -> [Finding] {
        if sealed == found { return [] }
        let count = Int64(bitPattern: sealed.count &- found.count) - Int64(damaged.count)
        let row = sealed.rows &- found.rows &- damaged.reduce(0) { $0 &+ UInt64(bitPattern: $1) }
        switch count {
        case 0 where row == 0 && !damaged.isEmpty: return []  // named already
        case 0 where row == 0:
            let changed = rows.filter { sealed.differs(from: found, inContentsOf: UInt64(bitPattern: $0)) }
            if changed.count == 1 { return [.changed(row: changed[0])] }
        case 1: return [.missing(row: Int64(bitPattern: row))]
        case -1 where damaged.contains(Int64(bitPattern: 0 &- row)): return []  // it was added, and is named already
        case -1 where rows.contains(Int64(bitPattern: 0 &- row)): return [.added(row: Int64(bitPattern: 0 &- row))]
        default: break
        }
        return [.several(expected: sealed.count, found: found.count)]
    }

    private struct RecordError: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private func checkColumns(_ scan: Statement, _ record: RecordView) throws {
        let header = record.header
        guard scan.number(2) == Int64(header.itemClass.number), let id = scan.bytes(3),
            id.elementsEqual(header.id.bytes)
        else { throw RecordError("its class or its identifier is not what its header says") }
        let tags = Dictionary(record.columnTags) { $1 }
        for (place, column) in IndexColumn.allCases.enumerated() {
            let stored = scan.bytes(Int32(place) + 4)
            guard stored.map({ $0.count == Tag.count ? Tag($0.bytes) : Tag.none }) == tags[column] else {
                throw RecordError("its column \(column.name) is not what its header says")
            }
        }
    }

    private func integrity() throws -> [String] {
        let check = try connection.prepare("PRAGMA integrity_check(20)")
        var lines: [String] = []
        do {
            while try check.step() { lines.append(check.text(0)) }
        } catch let error as StorageError where error.isCorruption {
            lines.append(error.message)
        }
        return lines
    }
}
