internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Lends out the record that is meant; nil where there is none. The device is taken in as it is at that moment.
    mutating func withRecord<Result: ~Copyable>(
        _ reference: ItemReference, _ body: (inout Enclave, RecordView) throws -> Result
    ) throws -> Result? {
        if isClosed { throw VaultError.closed }
        let statement: Statement
        let expected: Tag?
        switch reference {
        case .key(let key):
            let tag = key.tag(store.fixed.index)
            statement = store.recordByRow
            statement.bind(1, tag.row)
            expected = tag
        case .id(let id):
            statement = store.recordByIdentifier
            statement.bind(1, id.bytes)
            expected = nil
        }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        if hasMoved {
            // What others have done to the device comes first; then the row is read again, as of after it.
            statement.reset()
            try refresh()
            return try withRecord(reference, body)
        }
        let row = expected?.row ?? statement.number(0)
        guard let bytes = statement.bytes(1) else { throw VaultError.damaged(.item(row)) }
        let record = try RecordView(bytes, row: row, store.fixed.header)
        if let expected, !record.header.primaryKey.equals(expected) { return nil }  // another item has the row
        if case .id(let id) = reference, id != record.header.id { throw VaultError.damaged(.item(row)) }
        if cleared.contains(record.header) { return nil }
        return try body(&self, record)
    }

    /// What `body` comes to, once more where the password of a context turned out to be outdated, which is dropped then.
    mutating func decidingAgain<Result: ~Copyable>(
        _ body: (inout Enclave) throws -> Result
    ) throws -> Result {
        do { return try body(&self) } catch is PasswordOutdatedError { return try body(&self) }
    }

    /// The secret of an item, for `action`, which reads it or brings it to use.
    mutating func release(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Reply<ReleasedSecret> {
        let answer: Reply<ReleasedSecret>? = try withRecord(reference) { enclave, record in
            let authorization = try enclave.authorize(action, record, for: caller, in: state)
            guard case .granted(let grant) = authorization else {
                return Reply(refusing: authorization, record.header.id) ?? .denied(Denial(.itemNotFound))
            }
            return .granted(
                ReleasedSecret(
                    id: record.header.id, bytes: try enclave.seals.secret(of: record, by: grant, in: state, enclave.bag)
                ))
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }

    /// What is known of an item besides its secret, for `action`.
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
