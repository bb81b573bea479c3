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
        if isCleared(record.header) { return nil }
        return try body(&self, record)
    }

    /// Returns true if an item is lost and was said not to be there: it is not there any more, and the next write takes it out.
    func isCleared(_ header: Header) -> Bool { !cleared.isEmpty && cleared[header.id] == header.version }

    /// The password that a context holds opened the item before it was locked up anew; without it, it is decided again.
    struct PasswordOutdated: NothingToCommit {}

    /// What a key of the ring has opened.
    private enum Unlocked<Value: ~Copyable>: ~Copyable {
        case opened(Value)
        case missing
        case wrongPassword
    }

    /// What `body` comes to, once more where the password of a context turned out to be outdated, which is dropped then.
    mutating func decidingAgain<Result: ~Copyable>(
        _ body: (inout Enclave) throws -> Result
    ) throws -> Result {
        do { return try body(&self) } catch is PasswordOutdated { return try body(&self) }
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
                ReleasedSecret(id: record.header.id, bytes: try enclave.secret(of: record, by: grant, in: state)))
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }

    /// Opens the wrap of the way that was granted, and what is behind it.
    func secret(of record: RecordView, by grant: Grant, in state: ContextState) throws -> SecureBytes? {
        guard record.header.control.isProtected else { return try openPlain(record) }
        return try openSecret(of: record, context: record.identity.bytes) { body in
            try withItemKey(of: record, by: grant, in: state) { try body($0) }
        }
    }

    /// The secret of an item that asks for nothing: it lies under what its class opens, together with all that the header says.
    func openPlain(_ record: RecordView) throws -> SecureBytes? {
        try openSecret(of: record, context: record.core.bytes) { body in
            let header = record.header
            let opened: SecureBytes?? = try ring.read { contents in
                try contents.keys.with(header.control.protection.keyClass) { classKey in
                    guard classKey.id == header.classKey else { throw VaultError.damaged(.item(header.row)) }
                    return try body(classKey.plainWay)
                }
            }
            guard case .some(let secret) = consume opened else { throw missing(.damaged(.item(header.row))) }
            return secret
        }
    }

    /// The item key, by the way that was granted.
    func itemKey(of record: RecordView, by grant: Grant, in state: ContextState) throws -> Key {
        try withItemKey(of: record, by: grant, in: state) { try $0.copy() }
    }

    /// Lends out the item key, by the way that was granted, while the ring is held.
    private func withItemKey<Value: ~Copyable>(
        of record: RecordView, by grant: Grant, in state: ContextState, _ body: (borrowing Key) throws -> Value
    ) throws -> Value {
        let header = record.header
        let damage = VaultError.damaged(.item(header.row))
        guard let wrap = record.wrap(for: grant.way) else { throw damage }
        // The match that unlocked the device counts for this one grant; its gates are lent for as long.
        defer { if grant.reusesUnlock { state.wipeGates([.biometry]) } }
        if grant.reusesUnlock { try GateKeeper.release(against: .unlock(grant), from: self, to: state) }
        let outcome: Unlocked<Value>? = try ring.read { contents in
            try contents.keys.with(header.control.protection.keyClass) { classKey in
                guard classKey.id == header.classKey else { throw damage }
                let unwrapped = try state.withPassword(for: header.id.evidenceID, in: contents) { password in
                    try Wrap.open(
                        wrap, for: grant.way, of: header, core: record.core.bytes, under: classKey,
                        state.held(in: contents).gates, password: password)
                }
                switch consume unwrapped {
                case .opened(let key): return .opened(try body(key))
                case .wrongPassword: return .wrongPassword
                case .gateMissing: return .missing
                case .damaged: throw damage
                }
            }
        }
        switch consume outcome {
        case .some(let outcome):
            switch consume outcome {
            case .opened(let value): return value
            case .missing: throw missing(damage)
            case .wrongPassword:
                // It was right once: somebody else has locked the item up under another since.
                state.wipe([.applicationPassword])
                throw PasswordOutdated()
            }
        case .none: throw missing(damage)
        }
    }

    /// What lies under a key that `withKey` lends out; nil for an item without a secret.
    private func openSecret(
        of record: RecordView, context: RawSpan,
        under withKey: ((borrowing Key) throws -> SecureBytes?) throws -> SecureBytes?
    ) throws -> SecureBytes? {
        let header = record.header
        let opened: SecureBytes?
        if header.isSecretApart {
            opened = try openSecretApart(header, context: context, under: withKey)
        } else {
            opened = try withKey { try Box.open(record.secret.bytes, under: $0, context: context) }
        }
        guard let secret = consume opened else { throw VaultError.damaged(.item(header.row)) }
        guard header.hasSecret else { return nil }
        return secret
    }

    /// Opens a secret that does not lie in the row. It has to be fetched and may be large, so it is opened without holding
    /// the ring, and thrown away if the device was locked meanwhile.
    private func openSecretApart(
        _ header: Header, context: RawSpan,
        under withKey: ((borrowing Key) throws -> SecureBytes?) throws -> SecureBytes?
    ) throws -> SecureBytes? {
        var copied: Key?
        _ = try withKey { key in
            copied = try key.copy()
            return nil
        }
        store.readSecret.bind(1, header.row)
        let found: SecureBytes?? = try store.withBytes(store.readSecret) { box in
            try Gates.lend(copied) { try Box.open(box.bytes, under: $0, context: context) } ?? nil
        }
        copied = nil
        try requireNotLockedSince()
        guard case .some(let secret) = consume found else { throw VaultError.damaged(.item(header.row)) }
        return secret
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
            return .granted(try enclave.stored(record))
        }
        if let answer = consume answer { return answer }
        try refresh()
        let authorization = try authorizeMissing(action, reference, for: caller, in: state)
        return Reply(refusing: authorization, nil) ?? .denied(Denial(.itemNotFound))
    }

    func stored(_ record: RecordView) throws -> StoredItem {
        let header = record.header
        let sealed = try openAttributes(of: record)
        return StoredItem(
            id: header.id,
            description: ItemDescription(
                header.itemClass, sealed.attributes, header.control, group: sealed.group, isKey: header.isKey,
                isSynchronizable: header.isSynchronizable),
            created: Self.date(header.created), modified: Self.date(header.modified))
    }

    func openAttributes(of record: RecordView) throws -> SealedAttributes {
        let header = record.header
        let damage = VaultError.damaged(.item(header.row))
        store.readAttributes.bind(1, header.row)
        let found: SecureBytes?? = try store.withBytes(store.readAttributes) { box in
            try ring.read { contents in
                try contents.keys.with(header.control.protection.keyClass) { classKey in
                    guard classKey.id == header.classKey,
                        let opened = try Box.open(
                            box.bytes, under: classKey.attributes, context: record.identity.bytes)
                    else { throw damage }
                    return opened
                }
            }
        }
        switch consume found {
        case .some(.some(let opened)):
            return try opened.withBytes { bytes in
                try bytes.withUnsafeBytes { bytes in
                    do { return try SealedAttributes(decoding: bytes) } catch { throw damage }
                }
            }
        case .some(.none): throw missing(damage)
        case .none: throw damage
        }
    }
}
