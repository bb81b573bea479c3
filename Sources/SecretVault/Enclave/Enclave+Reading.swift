internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Calls `body` with the record in a row. Returns nil if there is none.
    mutating func withRow<Result>(
        _ row: Int64, _ body: (inout Enclave, RecordView) throws -> Result
    ) throws -> Result? {
        let statement = store.recordByRow
        statement.bind(1, row)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        guard let bytes = statement.bytes(1) else { throw VaultError.damaged(.item(row)) }
        return try body(&self, try RecordView(bytes, row: row, store.fixed.header))
    }

    /// Calls `body` with the record that `reference` names. Returns nil if there is none. The changes of other programs
    /// are taken in first.
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
        case .sealed(let key):
            // No statement runs that would show if another program has committed.
            try refresh()
            let store = store
            return try key.withRecord(store.fixed) { record in
                try seals.requireOwn(record)
                return try body(&self, record)
            }
        }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        if hasMoved {
            // Another program has committed. Take in its changes to the device first, then read the row again.
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

    /// Runs `body`, and runs it again if the password of a context turned out to be outdated and was dropped.
    mutating func decidingAgain<Result: ~Copyable>(
        _ body: (inout Enclave) throws -> Result
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

extension Store {
    func allRows() throws -> [Int64] {
        let statement = try connection.prepare("SELECT row FROM items ORDER BY row")
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.number(0)) }
        return rows
    }
}
