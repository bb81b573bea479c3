internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
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
        try deciding(action, reference, for: caller, in: state) { vault, record, grant in
            do {
                return try body(record, try vault.seals.plaintext(of: record, by: grant, in: state, vault.bag))
            } catch is ByteReader.FormatError {
                throw VaultError.damaged(.item(record.header.row))
            }
        }
    }

    /// Decides about `action` on an item. If that is granted, returns what `body` makes of the item.
    @inline(__always)
    mutating func deciding<Value: ~Copyable & Sendable>(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState,
        _ body: (borrowing VaultState, RecordView, Grant) throws -> Value
    ) throws -> Reply<Value> {
        let answer: Reply<Value>? = try withRecord(reference) { vault, record in
            let authorization = try vault.authorize(action, record, for: caller, in: state)
            guard case .granted(let grant) = authorization else {
                return Reply(refusing: authorization, record.header.id) ?? .denied(Denial(.itemNotFound))
            }
            return .granted(try body(vault, record, grant))
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }
}
