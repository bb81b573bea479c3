internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// Deletions that can be undone. The row of a deleted item is set aside as it is, so that this needs no key: neither
// deleting nor undoing asks for authentication, and the item opens afterwards as it did before.

extension VaultState {
    /// Puts an item back that was deleted. Denies the request if another item has its place.
    mutating func putBack(
        _ key: PrimaryKey, keeping limit: HistoryLimit, for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        let row = key.tag(store.fixed.index).row
        return try answering { enclave in
            try enclave.transaction { enclave in
                try enclave.clearTheWay(for: key, for: caller, in: state)
                let now = enclave.hour(for: caller)
                let store = enclave.store
                try enclave.ledger.forgetRemoved(
                    until: now.subtractingReportingOverflow(limit.age).partialValue, in: store)
                guard try store.isRemoved(row: row, after: .min) else { return try enclave.deny(.itemNotFound) }
                // A backup may have brought it back, and another name since.
                if try store.hasOtherItem(as: row) { return try enclave.deny(.itemDuplicate) }
                try enclave.ledger.putBack(row: row, in: store)
                let id = try enclave.withRecord(.key(key)) { enclave, record in
                    let item = record.header.item(in: .first)
                    if invalidation(of: item, under: enclave.device.conditions()) != nil {
                        return try enclave.deny(.itemNotFound)
                    }
                    // A caller that may see the item in a list may have it back there.
                    _ = try enclave.authorize(.inventory, record, for: caller, in: state).grant(record.header.id)
                    return record.header.id
                }
                enclave.audit.add(.event, "put-back", by: caller, hour: enclave.device.now.milliseconds)
                return try id ?? enclave.deny(.itemNotFound)
            }
        }
    }

    private func deny(_ rule: Rule) throws -> ItemIdentifier {
        throw NotGrantedError(authorization: .denied(Denial(rule)))
    }

    /// Returns true if an item was deleted under this primary key within the limit.
    mutating func wasDeleted(_ key: PrimaryKey, within limit: HistoryLimit, for caller: Caller) throws -> Bool {
        try refresh()
        let date = hour(for: caller).subtractingReportingOverflow(limit.age).partialValue
        return try store.isRemoved(row: key.tag(store.fixed.index).row, after: date)
    }

    /// Returns the identifier of the item that is stored under a primary key with this tag, or set aside; nil if there is
    /// none.
    mutating func identifier(under tag: Tag) throws -> ItemIdentifier? {
        try refresh()
        let present = try withRow(tag.row) { (_, record) -> ItemIdentifier? in
            record.header.primaryKey.equals(tag) ? record.header.id : nil
        }
        if let present { return present }
        guard let lease = try store.items.find(.row(tag.row), .record, in: .setAside) else { return nil }
        let record = try store.record(of: lease)
        return record.header.primaryKey.equals(tag) ? record.header.id : nil
    }

    /// Deletes for good the item that was deleted under this primary key, as a request to delete it.
    mutating func forgetRemoved(
        _ key: PrimaryKey, for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        let row = key.tag(store.fixed.index).row
        return try answering { enclave in
            try enclave.transaction { enclave in
                let store = enclave.store
                guard let lease = try store.items.find(.row(row), .record, in: .setAside) else {
                    return try enclave.deny(.itemNotFound)
                }
                let id = try enclave.authorizeForgetting(lease, for: caller, in: state)
                lease.end()
                try enclave.ledger.forgetRemoved(row: row, in: store)
                return id
            }
        }
    }

    /// Decides if a row that was set aside may be deleted for good. Returns the identifier of its item.
    private mutating func authorizeForgetting(
        _ lease: borrowing RowLease, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        let record = try store.record(of: lease)
        _ = try authorize(.delete, record, for: caller, in: state).grant(record.header.id)
        return record.header.id
    }

    /// Deletes for good what was deleted longer ago than the limit allows.
    mutating func forgetRemoved(beyond limit: HistoryLimit, for caller: Caller) throws {
        try refresh()
        let date = limit.age > 0 ? hour(for: caller).subtractingReportingOverflow(limit.age).partialValue : .max
        guard try store.items.has(RowSearch(until: date), in: .setAside) else { return }
        try transaction { enclave in try enclave.ledger.forgetRemoved(until: date, in: enclave.store) }
    }
}
