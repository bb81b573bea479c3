internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// A simulated device sends its synchronizable items to the other devices of its account, and stores theirs. The account chooses the
// items. `decide` answers if one can be opened or stored now.

extension Vault {
    /// Returns every synchronizable item.
    package func syncedRows() throws(VaultError) -> [SyncedRow] {
        try run { vault in
            try vault.refresh()
            var rows: [SyncedRow] = []
            for row in try vault.store.allRows() {
                let found = try vault.withRow(row) { vault, record in try vault.syncedRow(record) }
                if let found = found ?? nil { rows.append(found) }
            }
            return rows
        }
    }

    /// Returns the number of the row in which an item would be stored.
    package func row(of item: SyncedItem) throws(VaultError) -> Int64 {
        try run { vault in item.description.primaryKey.tag(vault.store.fixed.index).row }
    }

    /// Opens a synchronizable item for sending. Returns nil while its class key is unavailable, and if it was deleted.
    package func syncedItem(in row: Int64) throws(VaultError) -> SyncedItem? {
        try run { vault in
            try vault.refresh()
            let opened: SyncedItem?? = try vault.withRow(row) { vault, record in
                let (state, header) = (ContextState(vault.ring), record.header)
                let authorization = try vault.authorize(
                    .item(header.item(in: .first), .readData, namesGroup: false), on: header.primaryKey, .readData,
                    for: .account, in: state, under: vault.conditionsOfAccount)
                guard case .granted(let grant) = authorization else { return nil }
                return SyncedItem(
                    try vault.seals.stored(record).description, created: header.created, modified: header.modified,
                    secret: try vault.seals.plaintext(of: record, by: grant, in: state, vault.bag))
            }
            return opened ?? nil
        }
    }

    /// Stores an item that arrives, in place of one with the same primary key, and returns its version; nil while its class
    /// key is unavailable. An item keeps its identifier on this device, and so the references to it stay good.
    package func receive(_ item: SyncedItem) throws(VaultError) -> UInt64? {
        try run { vault in
            try vault.transaction { vault in
                let description = item.description
                let tag = description.primaryKey.tag(vault.store.fixed.index)
                let new = Item(description.control, group: .first, isSynchronizable: true)
                let state = ContextState(vault.ring)
                let authorization = try vault.authorize(
                    .item(new, .add, namesGroup: false), on: tag, .add, for: .account, in: state,
                    under: vault.conditionsOfAccount)
                guard case .granted = authorization else { return nil }
                let former = try vault.withRow(tag.row) { _, record in record.header.id }
                if former != nil { try vault.deleteRow(tag.row) }
                try lending(item.secret.bytes) { secret in
                    try vault.put(
                        description, former ?? .random(), binding: vault.device.conditions().binding,
                        created: item.created, modified: item.modified, secret: secret, isBody: item.secret.isBody,
                        in: vault.contexts.empty)
                }
                return try vault.withRow(tag.row) { _, record in record.header.version }
            }
        }
    }

    /// Removes every synchronizable item of these groups, in any state of the device.
    package func removeSynced(inGroups groups: [String]) throws(VaultError) {
        try run { vault in
            try vault.transaction { vault in
                let tags = groups.map { groupTag($0, vault.store.fixed.index) }
                for row in try vault.store.allRows() {
                    let isAmong = try vault.withRow(row) { _, record in
                        record.header.isSynchronizable && tags.contains { record.header.group.equals($0) }
                    }
                    if isAmong == true { try vault.deleteRow(row) }
                }
            }
        }
    }

    /// Removes the item in a row, because another device of the account has deleted it.
    package func removeSynced(row: Int64) throws(VaultError) {
        try run { vault in
            try vault.transaction { vault in
                if try vault.withRow(row, { _, record in record.header.isSynchronizable }) == true {
                    try vault.deleteRow(row)
                }
            }
        }
    }
}

extension VaultState {
    /// Returns the row of a synchronizable item; nil for any other.
    fileprivate func syncedRow(_ record: RecordView) throws -> SyncedRow? {
        let header = record.header
        guard header.isSynchronizable, !cleared.contains(header) else { return nil }
        let isOpen = device.openClasses.contains(header.control.protection.keyClass)
        let description = isOpen ? try seals.stored(record).description : nil
        let size =
            header.isSecretApart
            ? try size(ofSecretApart: store.items.find(.row(header.row), .secret, in: .items)) : nil
        return SyncedRow(
            row: header.row, version: header.version, item: header.item(in: .first), description: description,
            largeSecret: size)
    }

    private func size(ofSecretApart lease: borrowing RowLease?) -> Int? {
        switch lease {
        case .some(let lease):
            guard let box = lease.secret else { return nil }
            return box.bytes.byteCount
        case .none: return nil
        }
    }

    /// The conditions for the account, which has access to every group.
    fileprivate var conditionsOfAccount: Conditions {
        var conditions = device.conditions()
        conditions.groups = [.first]
        return conditions
    }
}

extension Caller {
    /// The account of the device, which shows no prompt.
    fileprivate static let account = Caller(accountName, groups: [], interaction: .fail)
    /// The name under which the account opens and stores items.
    package static let accountName = "iCloud Keychain"
}
