internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Calls `body` with the record in a row. Returns nil if there is none.
    mutating func withRow<Result>(
        _ row: Int64, _ body: (inout VaultState, RecordView) throws -> Result
    ) throws -> Result? {
        guard let lease = try store.items.find(.row(row), .record, in: .items) else { return nil }
        return try withRecord(of: lease, body)
    }

    private mutating func withRecord<Result>(
        of lease: borrowing RowLease, _ body: (inout VaultState, RecordView) throws -> Result
    ) throws -> Result {
        try body(&self, try store.record(of: lease))
    }

    /// Calls `body` with the record that `reference` names. Returns nil if there is none. The changes of other programs
    /// are taken in first.
    mutating func withRecord<Result: ~Copyable>(
        _ reference: ItemReference, _ body: (inout VaultState, RecordView) throws -> Result
    ) throws -> Result? {
        if isClosed { throw VaultError.closed }
        let place: RowPlace
        var expected: Tag?
        switch reference {
        case .key(let key):
            let tag = key.tag(store.fixed.index)
            place = .row(tag.row)
            expected = tag
        case .id(let id): place = .id(id)
        case .sealed(let key):
            // No lease is open that would show if another program has committed.
            try refresh()
            let store = store
            return try key.withRecord(store.fixed) { record in
                try seals.requireOwn(record)
                return try body(&self, record)
            }
        }
        guard let lease = try store.items.find(place, .record, in: .items) else { return nil }
        if hasMoved {
            // Another program has committed. Take in its changes to the device first, then find the row again.
            lease.end()
            try refresh()
            return try withRecord(reference, body)
        }
        return try withRecord(of: lease, at: place, expected, body)
    }

    /// Calls `body` with the record of a row that was found. Returns nil if it is another item's, or counts as deleted.
    private mutating func withRecord<Result: ~Copyable>(
        of lease: borrowing RowLease, at place: RowPlace, _ expected: Tag?,
        _ body: (inout VaultState, RecordView) throws -> Result
    ) throws -> Result? {
        let record = try store.record(of: lease)
        if let expected, !record.header.primaryKey.equals(expected) { return nil }  // another item has the row
        if case .id(let id) = place, id != record.header.id { throw VaultError.damaged(.item(lease.row)) }
        if cleared.contains(record.header) { return nil }
        return try body(&self, record)
    }

    /// Deletes a row. A transaction is open.
    mutating func deleteRow(_ row: Int64) throws { try ledger.items.remove(row: row, from: store) }
}
