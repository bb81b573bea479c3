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
        try run(in: context) { enclave, state in
            try enclave.changing { enclave in
                let id = try enclave.withRecord(item) { enclave, record in
                    try enclave.remove(record, keeping: limit, for: caller, in: state)
                    return record.header.id
                }
                return try id ?? enclave.missing(.delete, item, for: caller, in: state)
            }
        }
    }

    /// Deletes several items in one transaction: all of them, or none. Items that do not exist for the caller are
    /// skipped. If that is true of all, the reply says so.
    public func deleteAll(
        _ items: [ItemIdentifier], keeping limit: HistoryLimit = .none, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { enclave, state in
            // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
            if items.count > 1 && !enclave.audit.isEmpty { try enclave.transaction { _ in } }
            return try enclave.changing { enclave in
                try enclave.each(items) { enclave, record in
                    try enclave.makeRoomWithinTransaction()
                    try enclave.remove(record, keeping: limit, for: caller, in: state)
                }
            }
        }
    }

    /// Undoes the deletion of an item that was deleted within the limit. The item opens as it did before. This asks for no
    /// authentication, and is denied if another item has the place.
    public func putBack(
        _ key: PrimaryKey, keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { enclave, state in
            let row = key.tag(enclave.store.fixed.index).row
            return try enclave.changing { enclave in
                try enclave.clearTheWay(for: key, for: caller, in: state)
                let now = enclave.hour(for: caller)
                let store = enclave.store
                try enclave.ledger.forgetRemoved(
                    until: now.subtractingReportingOverflow(limit.age).partialValue, in: store)
                guard try store.isRemoved(row: row, after: .min) else { throw NotGrantedError(.itemNotFound) }
                // A backup may have brought it back, and another name since.
                if try store.hasOtherItem(as: row) { throw NotGrantedError(.itemDuplicate) }
                try enclave.ledger.putBack(row: row, in: store)
                let id = try enclave.withRecord(.key(key)) { enclave, record in
                    let item = record.header.item(in: .first)
                    if invalidation(of: item, under: enclave.device.conditions()) != nil {
                        throw NotGrantedError(.itemNotFound)
                    }
                    // A caller that may see the item in a list may have it back there.
                    _ = try enclave.authorize(.inventory, record, for: caller, in: state).grant(record.header.id)
                    return record.header.id
                }
                enclave.audit.add(.event, "put-back", by: caller, hour: enclave.device.now.milliseconds)
                guard let id else { throw NotGrantedError(.itemNotFound) }
                return id
            }
        }
    }

    /// Returns true if an item was deleted under this primary key within the limit, so that it can be brought back.
    package func wasDeleted(
        _ key: PrimaryKey, within limit: HistoryLimit, for caller: Caller
    ) throws(VaultError) -> Bool {
        try run { enclave in
            try enclave.refresh()
            let date = enclave.hour(for: caller).subtractingReportingOverflow(limit.age).partialValue
            return try enclave.store.isRemoved(row: key.tag(enclave.store.fixed.index).row, after: date)
        }
    }

    /// Deletes for good an item whose deletion could still be undone.
    package func forgetRemoved(
        _ key: PrimaryKey, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { enclave, state in
            let row = key.tag(enclave.store.fixed.index).row
            return try enclave.changing { enclave in
                let store = enclave.store
                guard let lease = try store.items.find(.row(row), .record, in: .setAside) else {
                    throw NotGrantedError(.itemNotFound)
                }
                let record = try store.record(of: lease)
                let id = record.header.id
                _ = try enclave.authorize(.delete, record, for: caller, in: state).grant(id)
                lease.end()
                try enclave.ledger.forgetRemoved(row: row, in: store)
                return id
            }
        }
    }

    /// Deletes for good every item that was deleted longer ago than the limit allows.
    package func forgetRemoved(beyond limit: HistoryLimit, for caller: Caller) throws(VaultError) {
        try run { enclave in
            try enclave.refresh()
            let date =
                limit.age > 0 ? enclave.hour(for: caller).subtractingReportingOverflow(limit.age).partialValue : .max
            guard try enclave.store.items.has(RowSearch(until: date), in: .setAside) else { return }
            try enclave.transaction { try $0.ledger.forgetRemoved(until: date, in: $0.store) }
        }
    }
}
