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

    /// Runs `body`, and runs it again if the password of a context turned out to be outdated and was dropped.
    mutating func decidingAgain<Result: ~Copyable>(
        _ body: (inout VaultState) throws -> Result
    ) throws -> Result {
        do { return try body(&self) } catch is PasswordOutdatedError { return try body(&self) }
    }

    /// Returns the present value of an item's secret for `action`, which reads or uses it.
    mutating func release(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Reply<ReleasedSecret> {
        try open(action, reference, for: caller, in: state) { record, plaintext in
            ReleasedSecret(id: record.header.id, bytes: try plaintext.value())
        }
    }

    /// Opens the secret of an item for `action`, and returns what `body` makes of it.
    mutating func open<Value: ~Copyable & Sendable>(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState,
        _ body: (RecordView, consuming Plaintext) throws -> Value
    ) throws -> Reply<Value> {
        let answer: Reply<Value>? = try withRecord(reference) { enclave, record in
            let authorization = try enclave.authorize(action, record, for: caller, in: state)
            guard case .granted(let grant) = authorization else {
                return Reply(refusing: authorization, record.header.id) ?? .denied(Denial(.itemNotFound))
            }
            do {
                return .granted(
                    try body(
                        record, try enclave.seals.plaintext(of: record, by: grant, in: state, enclave.bag)))
            } catch is ByteReader.FormatError {
                throw VaultError.damaged(.item(record.header.row))
            }
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }

    /// Returns the description of an item without its secret, for `action`.
    mutating func describe(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Reply<StoredItem> {
        let answer: Reply<StoredItem>? = try withRecord(reference) { enclave, record in
            let authorization = try enclave.authorize(action, record, for: caller, in: state)
            guard case .granted = authorization else {
                return Reply(refusing: authorization, record.header.id) ?? .denied(Denial(.itemNotFound))
            }
            return .granted(try enclave.seals.stored(record))
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }
}
