internal import AccessPolicy
internal import DeviceModel
internal import LinuxSystem
internal import SodiumKit

extension VaultState {
    // MARK: - Going out

    /// Returns how far an item may travel, and the grant or the reason for leaving it out. The owner makes the backup,
    /// so access groups do not matter, but `decide` still does.
    mutating func travel(
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

    enum Leaving {
        case yes(Grant)
        case no(ExportReport.Reason)

        var grant: Grant? { if case .yes(let grant) = self { grant } else { nil } }
        var leftOut: ExportReport.Reason? { if case .no(let reason) = self { reason } else { nil } }
    }

    mutating func backupItem(
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
    func leftBehind(_ record: RecordView, _ reason: LeftBehind.Reason) -> LeftBehind {
        let description = try? seals.stored(record).description
        return LeftBehind(
            reason, id: record.header.id, description?.itemClass ?? record.header.itemClass, name: description?.name)
    }

    // MARK: - Coming in

    /// Imports the items of a backup, all of them or none. Items that exist already stay as they are. Items that open
    /// only on another device are counted.
    mutating func bringIn(_ reader: BackupReader, _ keys: borrowing BackupKeys) throws -> ImportReport {
        try transaction { vault in
            var report = ImportReport()
            let isAtHome = Gates.isThere(keys.sameDevice)
            try reader.each(keys) { item in
                try vault.bringIn(item, &report)
            } ofAnotherDevice: {
                report.ofAnotherDevice += 1
            } leftBehind: { note in
                if note.reason != .thisDeviceOnly || !isAtHome { report.leftBehind.append(note) }
            }
            return report
        }
    }

    /// Returns the keys of a backup under its outer key.
    ///
    /// - Throws: ``VaultError/wrongPassphrase(_:)`` if that does not open them.
    func backupKeys(_ reader: BackupReader, under outer: borrowing Key?) throws -> BackupKeys {
        guard
            let keys = try BackupKeys.open(
                reader.head, reader.anywhere, reader.sameDevice, under: try orDevice(outer), store.fixed.backup)
        else { throw VaultError.wrongPassphrase(reader.path) }
        return keys
    }

    /// Returns the outer key of a backup: the stretched passphrase, or the device's own key.
    func orDevice(_ outer: borrowing Key?) throws -> Key {
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
