internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// The row of a deleted item is set aside as it is, so that undoing needs no key: neither deleting nor undoing asks for
// authentication, and the item opens afterwards as it did before.

extension Vault {
    /// Deletes an item. This never asks for authentication.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - limit: How long ``putBack(_:keeping:for:in:)`` can undo the deletion; by default not at all.
    ///   - caller: The program that asks.
    ///   - context: The context of the request.
    public func delete(
        _ item: ItemReference, keeping limit: HistoryLimit = .none, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            try vault.changing { vault in
                let id = try vault.withRecord(item) { vault, record in
                    try vault.remove(record, keeping: limit, for: caller, in: state)
                    return record.header.id
                }
                return try id ?? vault.missing(.delete, item, for: caller, in: state)
            }
        }
    }

    /// Deletes several items in one transaction: all of them, or none. Items that do not exist for the caller are
    /// skipped. If that is true of all, the reply says so.
    public func deleteAll(
        _ items: [ItemIdentifier], keeping limit: HistoryLimit = .none, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { vault, state in
            // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
            if items.count > 1 && !vault.audit.isEmpty { try vault.transaction { _ in } }
            return try vault.changing { vault in
                try vault.each(items) { vault, record in
                    try vault.makeRoomWithinTransaction()
                    try vault.remove(record, keeping: limit, for: caller, in: state)
                }
            }
        }
    }

    /// Undoes the deletion of an item that was deleted within the limit. The item opens as it did before. This asks for no
    /// authentication, and is denied if another item has the place.
    public func putBack(
        _ key: PrimaryKey, keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            let row = key.tag(vault.store.fixed.index).row
            return try vault.changing { vault in
                try vault.clearTheWay(for: key, for: caller, in: state)
                let now = vault.hour(for: caller)
                let store = vault.store
                try vault.ledger.forgetRemoved(
                    until: now.subtractingReportingOverflow(limit.age).partialValue, in: store)
                guard try store.isRemoved(row: row, after: .min) else { throw NotGrantedError(.itemNotFound) }
                // A backup may have brought it back, and another name since.
                if try store.hasOtherItem(as: row) { throw NotGrantedError(.itemDuplicate) }
                try vault.ledger.putBack(row: row, in: store)
                let id = try vault.withRecord(.key(key)) { vault, record in
                    let item = record.header.item(in: .first)
                    if invalidation(of: item, under: vault.device.conditions()) != nil {
                        throw NotGrantedError(.itemNotFound)
                    }
                    // A caller that may see the item in a list may have it back there.
                    _ = try vault.authorize(.inventory, record, for: caller, in: state).grant(record.header.id)
                    return record.header.id
                }
                guard let id else { throw NotGrantedError(.itemNotFound) }
                vault.audit.add(.event, "put-back", by: caller, hour: vault.device.now.milliseconds)
                return id
            }
        }
    }

    /// Returns true if an item was deleted under this primary key within the limit, so that it can be brought back.
    package func wasDeleted(
        _ key: PrimaryKey, within limit: HistoryLimit, for caller: Caller
    ) throws(VaultError) -> Bool {
        try run { vault in
            try vault.refresh()
            let date = vault.hour(for: caller).subtractingReportingOverflow(limit.age).partialValue
            return try vault.store.isRemoved(row: key.tag(vault.store.fixed.index).row, after: date)
        }
    }

    /// Deletes for good an item whose deletion could still be undone.
    package func forgetRemoved(
        _ key: PrimaryKey, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            let row = key.tag(vault.store.fixed.index).row
            return try vault.changing { vault in
                let store = vault.store
                guard let lease = try store.items.find(.row(row), .record, in: .setAside) else {
                    throw NotGrantedError(.itemNotFound)
                }
                let record = try store.record(of: lease)
                let id = record.header.id
                _ = try vault.authorize(.delete, record, for: caller, in: state).grant(id)
                lease.end()
                try vault.ledger.forgetRemoved(row: row, in: store)
                return id
            }
        }
    }

    /// Deletes for good every item that was deleted longer ago than the limit allows.
    package func forgetRemoved(beyond limit: HistoryLimit, for caller: Caller) throws(VaultError) {
        try run { vault in
            try vault.refresh()
            let date =
                limit.age > 0 ? vault.hour(for: caller).subtractingReportingOverflow(limit.age).partialValue : .max
            guard try vault.store.items.has(RowSearch(until: date), in: .setAside) else { return }
            try vault.transaction { try $0.ledger.forgetRemoved(until: date, in: $0.store) }
        }
    }
}
