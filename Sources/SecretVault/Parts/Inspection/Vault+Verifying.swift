internal import AccessPolicy
internal import SodiumKit

extension Vault {
    /// Checks the whole vault and reports every fault, row by row. Changes nothing.
    public func verify() throws(VaultError) -> VerifyReport {
        try run { vault in
            try vault.refresh()
            var report = try vault.store.verify(vault.seals)
            if vault.bag.settingsPutBack > 0 { report.findings.insert(.settings, at: 0) }
            return report
        }
    }
}

extension Store {
    /// Checks every row, the account of all rows, the counter and the audit log. Changes nothing.
    func verify(_ seals: ItemSeals) throws -> VerifyReport {
        let counted = try keys.counter()  // Read the counter before the database, which may only be ahead of it.
        return try atOneMoment {
            var report = VerifyReport()
            for line in try items.faults() { report.findings.append(.structure(line)) }
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

    /// Checks every row, and the sealed account of all items. `counted` is the number of commits that the device has
    /// recorded. `opens` decrypts an item that needs no authentication, and returns false for any other.
    private func check(
        against counted: UInt64, _ report: inout VerifyReport, opening opens: (RecordView) throws -> Bool
    ) throws {
        var found = ItemSums()
        var damaged: [Int64] = []
        var rows: [Int64] = []
        var ids: Set<ItemIdentifier> = []
        try items.each(RowSearch(), .all, in: .items) { lease in
            let row = lease.row
            do {
                guard lease.record != nil else { throw RecordError("the record is missing") }
                let record = try self.record(of: lease)
                if let difference = try items.difference(from: record) { throw RecordError(difference) }
                let entry = try self.entry(of: record, lease, in: .items)
                guard ids.insert(record.header.id).inserted else { throw RecordError("this item is there twice") }
                if try opens(record) { report.opened += 1 }
                found.add(entry)  // intact rows only: a damaged row is reported by itself
                rows.append(row)
                report.items += 1
            } catch let fault as RecordError {
                damaged.append(row)
                report.findings.append(.damaged(row: row, fault.text))
            } catch VaultError.damaged {
                damaged.append(row)
                report.findings.append(.damaged(row: row, "this is not what the vault wrote"))
            }
        }
        for row in try items.strayedSecrets() { report.findings.append(.strayedSecret(row: row)) }
        let sealed: Ledger
        do {
            sealed = try ledger()
        } catch VaultError.damaged(.ledger) {
            report.findings.append(.ledger)
            return
        }
        if sealed.commits < counted { report.findings.append(.older(database: sealed.commits, device: counted)) }
        let removed: ItemSums?
        do { removed = try sumsOfRemoved() } catch VaultError.damaged { removed = nil } catch is RecordError {
            removed = nil
        }
        if removed != sealed.removed { report.findings.append(.removed) }
        report.findings += Self.difference(between: sealed.items, and: found, rows, damaged)
    }

    /// Returns the one row that explains why the account differs, or a finding about several rows if it is not just
    /// one.
    private static func difference(
        between sealed: ItemSums, and found: ItemSums, _ rows: [Int64], _ damaged: [Int64]
    ) -> [VerifyFinding] {
        if sealed == found { return [] }
        let count = Int64(bitPattern: sealed.count &- found.count) - Int64(damaged.count)
        let row = sealed.rows &- found.rows &- damaged.reduce(0) { $0 &+ UInt64(bitPattern: $1) }
        switch count {
        case 0 where row == 0 && !damaged.isEmpty: return []  // reported already
        case 0 where row == 0:
            let changed = rows.filter { sealed.differs(from: found, inContentsOf: UInt64(bitPattern: $0)) }
            if changed.count == 1 { return [.changed(row: changed[0])] }
        case 1: return [.missing(row: Int64(bitPattern: row))]
        case -1 where damaged.contains(Int64(bitPattern: 0 &- row)): return []  // reported already, as damaged
        case -1 where rows.contains(Int64(bitPattern: 0 &- row)): return [.added(row: Int64(bitPattern: 0 &- row))]
        default: break
        }
        return [.several(expected: sealed.count, found: found.count)]
    }

    private struct RecordError: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }
}
