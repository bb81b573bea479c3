internal import AccessPolicy
internal import DeviceModel
internal import LinuxSystem
internal import SodiumKit

extension VaultState {
    /// Returns the device's refusal of a backup, before any passphrase is stretched; nil if the device makes one.
    mutating func refusalOfBackup(isEncrypted: Bool) throws -> Effects? {
        try refresh()
        var asked = device
        if asked.apply(.backupTaken(encrypted: isEncrypted)).refusal == nil { return nil }
        return try happen(.backupTaken(encrypted: isEncrypted), EventKeys())
    }

    /// Writes the items that may leave the device into a new file at `path`. A locked device refuses, because it could
    /// not read closed classes. `outer` is the stretched passphrase; without it, the backup is sealed under the device
    /// alone.
    mutating func export(
        to path: String, _ head: BackupHead, under outer: borrowing Key?, keeping limit: HistoryLimit?,
        in state: ContextState, _ calls: NewFile.Calls
    ) throws -> (Effects, ExportReport) {
        try refresh()
        let isEncrypted = head.cost != nil
        let effects = try happen(.backupTaken(encrypted: isEncrypted), EventKeys())
        var report = ExportReport()
        if effects.refusal != nil { return (effects, report) }
        let keys = try BackupKeys()
        let boxes = try keys.sealed(head, under: try orDevice(outer), store.fixed.backup)
        try store.items.begin(.look)
        defer { store.items.rollBack() }
        let writer = try NewFileWriter(path, calls)
        try writer.write(head.encoded + boxes.anywhere + boxes.sameDevice)
        var records = try BackupRecords(head, keys, writer)
        for row in try store.allRows() {
            try ring.requireNotLockedSince()  // a lock must not leave items out: only their policies may
            do {
                try withRow(row) { enclave, record in
                    let (travel, reason) = try enclave.travel(of: record, isEncrypted, in: state)
                    guard let grant = reason.grant else {
                        let reason = reason.leftOut ?? .neverLeaves
                        report.leftOut[record.header.id] = reason
                        return try records.write(enclave.leftBehind(record, reason))
                    }
                    let item = try enclave.backupItem(record, grant, keeping: limit, in: state)
                    try records.write(item, travel)
                    report.written += 1
                    if isEncrypted && travel == .sameDevice {
                        try records.write(enclave.leftBehind(record, .thisDeviceOnly))
                    }
                }
            } catch VaultError.damaged(.item(let damaged)) {
                report.damaged.append(damaged)  // a damaged item must not keep the others from being saved
                try records.write(LeftBehind(.damaged))
            }
        }
        try ring.requireNotLockedSince()
        try records.end()
        try writer.finish()
        return (effects, report)
    }

    /// Returns how far an item may travel, and the grant or the reason for leaving it out. The owner makes the backup,
    /// so access groups do not matter, but `decide` still does.
    private mutating func travel(
        of record: RecordView, _ isEncrypted: Bool, in state: ContextState
    ) throws -> (Travel, Leaving) {
        var conditions = device.conditions()
        conditions.groups = [.first]
        let item = record.header.item(in: .first)
        if invalidation(of: item, under: conditions) != nil { return (.never, .no(.lost)) }
        // The backup of a real vault includes the items that the passcode alone opens, if the user entered it for the
        // backup.
        let authenticated: FactorSet = bag.isReal && state.context[.passcode] != nil ? [.passcode] : []
        let travel = item.travel(inEncryptedBackup: isEncrypted, proving: authenticated, conditions.fidelity)
        if travel == .never {
            let isBarred = item.isKey || item.control.protection == .whenPasscodeSetThisDeviceOnly
            return (.never, .no(isBarred ? .neverLeaves : .asksForAuthentication))
        }
        let owner = Caller("backup", groups: [], interaction: .fail)
        let tag = Tag(record.identity.bytes.extracting(first: Tag.count))
        let decision = try authorize(
            .item(item, .readData, namesGroup: false), on: tag, .readData, for: owner, in: state, under: conditions
        ).decision
        guard case .granted(let grant) = decision else { return (.never, .no(.asksForAuthentication)) }
        return (travel, .yes(grant))
    }

    private enum Leaving {
        case yes(Grant)
        case no(ExportReport.Reason)

        var grant: Grant? { if case .yes(let grant) = self { grant } else { nil } }
        var leftOut: ExportReport.Reason? { if case .no(let reason) = self { reason } else { nil } }
    }

    private mutating func backupItem(
        _ record: RecordView, _ grant: Grant, keeping limit: HistoryLimit?, in state: ContextState
    ) throws -> BackupItem {
        var secret = try seals.plaintext(of: record, by: grant, in: state, bag)
        if let limit {
            let owner = Caller("backup", groups: [], interaction: .fail)
            secret = try secret.forgetting(beyond: limit, at: hour(for: owner))
        }
        return BackupItem(
            id: record.header.id, description: try seals.stored(record).description, created: record.header.created,
            modified: record.header.modified, secret: secret)
    }

    /// Returns the note about an item that stays behind. Its name is left out if it cannot be read.
    private func leftBehind(_ record: RecordView, _ reason: LeftBehind.Reason) -> LeftBehind {
        let description = try? seals.stored(record).description
        return LeftBehind(
            reason, id: record.header.id, description?.itemClass ?? record.header.itemClass, name: description?.name)
    }

    // MARK: - Coming in

    /// Imports the items of a backup, all of them or none. Items that exist already stay as they are. Items that open
    /// only on another device are counted.
    mutating func importBackup(_ reader: BackupReader, under outer: borrowing Key?) throws -> ImportReport {
        try bringIn(reader, try backupKeys(reader, under: outer))
    }

    private mutating func bringIn(_ reader: BackupReader, _ keys: borrowing BackupKeys) throws -> ImportReport {
        try transaction { enclave in
            var report = ImportReport()
            let isAtHome = Gates.isThere(keys.sameDevice)
            try reader.each(keys) { item in
                try enclave.bringIn(item, &report)
            } ofAnotherDevice: {
                report.ofAnotherDevice += 1
            } leftBehind: { note in
                if note.reason != .thisDeviceOnly || !isAtHome { report.leftBehind.append(note) }
            }
            return report
        }
    }

    /// Restores a backup onto this device, which is erased first. A damaged backup erases nothing.
    mutating func restore(_ reader: BackupReader, under outer: borrowing Key?) throws -> (Effects, ImportReport) {
        let keys = try backupKeys(reader, under: outer)
        try reader.each(keys) { _ in }
        // Erasing removes the passcode, and a real vault always has one. Import its backups into a new vault instead.
        if bag.isReal { throw VaultError.realVault(.passcode) }
        let effects = try happen(.restoredOntoThisDevice, EventKeys())
        if effects.refusal != nil { return (effects, ImportReport()) }
        return (effects, try bringIn(reader, keys))
    }

    private func backupKeys(_ reader: BackupReader, under outer: borrowing Key?) throws -> BackupKeys {
        guard
            let keys = try BackupKeys.open(
                reader.head, reader.anywhere, reader.sameDevice, under: try orDevice(outer), store.fixed.backup)
        else { throw VaultError.wrongPassphrase(reader.path) }
        return keys
    }

    /// Returns the outer key of a backup: the stretched passphrase, or the device's own key.
    private func orDevice(_ outer: borrowing Key?) throws -> Key {
        switch outer {
        case .some(let outer): try outer.copy()
        case .none: try store.fixed.backup.copy()
        }
    }

    /// Stores one item of a backup, if `decide` grants it.
    private mutating func bringIn(_ item: consuming BackupItem, _ report: inout ImportReport) throws {
        var conditions = device.conditions()
        conditions.groups = [.first]
        let (description, created, modified) = (item.description, item.created, item.modified)
        let new = Item(description.control, group: .first, isSynchronizable: description.isSynchronizable)
        let state = ContextState(ring)
        let decision = try authorize(
            .item(new, .add, namesGroup: false), on: description.primaryKey.tag(store.fixed.index), .add,
            for: Caller("restore", groups: [], interaction: .fail), in: state, under: conditions
        ).decision
        let isTooLarge = description.isTooLarge || item.isTooLarge
        guard decision.isGranted, !isTooLarge else {
            report.refused += 1
            return
        }
        if let row = try invalidatedRow(under: description.primaryKey) {
            guard row.isInvalidated else {
                report.duplicates += 1
                return
            }
            try deleteRow(row.number)
        }
        let id = try isFree(item.id) ? item.id : ItemIdentifier.random()
        var plaintext = item.takeSecret()
        if description.control.guarding.biometry != .unbound {
            // The item is bound to the present enrolled set or sensor. Another one may have opened the former versions.
            plaintext = try plaintext.withoutFormer()
        }
        let isBody = plaintext.isBody
        try lending(plaintext.bytes) { secret in
            try put(
                description, id, binding: device.conditions().binding, created: created, modified: modified,
                secret: secret, isBody: isBody, in: contexts.empty)
        }
        report.added += 1
    }

    private func isFree(_ id: ItemIdentifier) throws -> Bool { try !store.items.has(.id(id)) }
}
