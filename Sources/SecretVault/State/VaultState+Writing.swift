internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// An error that rolls a transaction back because its request was not granted.
struct NotGrantedError: NothingToCommitError {
    let authorization: Authorization
    /// The stored item that the decision was about.
    var item: ItemIdentifier?
}

extension VaultState {
    /// Stores a new item, with a secret or without one.
    mutating func add(
        _ item: ItemDescription, secret: RawSpan?, for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        try answering { enclave in
            try enclave.transaction { try $0.store(item, secret: secret, for: caller, in: state) }
        }
    }

    /// Stores a new item with a value and fields.
    mutating func add(
        _ item: ItemDescription, parts: borrowing SecretParts, for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        let saved = hour(for: caller)
        let plaintext = try parts.withParts { value, fields in
            try SecretBody(value: value, fields: fields, saved: saved).plaintext()
        }
        let isBody = plaintext.isBody
        return try lending(plaintext.bytes) { secret in
            try answering { enclave in
                try enclave.transaction {
                    try $0.store(item, secret: secret, isBody: isBody, for: caller, in: state)
                }
            }
        }
    }

    /// Deletes items and stores a new one, in one transaction.
    mutating func exchange(
        _ former: [ItemReference], for item: ItemDescription, secret: RawSpan, keeping limit: HistoryLimit,
        for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        try answering { enclave in
            try enclave.transaction { enclave in
                for reference in former {
                    do {
                        _ = try enclave.withRecord(reference) { enclave, record in
                            _ = try enclave.authorize(.delete, record, for: caller, in: state).grant(record.header.id)
                            try enclave.remove(record, keeping: limit, for: caller)
                        }
                    } catch let refused as NotGrantedError where enclave.isAbsent(refused.authorization.decision) {}
                }
                return try enclave.store(item, secret: secret, for: caller, in: state)
            }
        }
    }

    /// Stores many new items, or none of them.
    mutating func addAll(
        _ items: some Sequence<ItemDescription>, for caller: Caller, in state: ContextState,
        secret: (_ place: Int) throws -> SecureBytes?
    ) throws -> Reply<[ItemIdentifier]> {
        // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
        if !audit.isEmpty { try writeRecords() }
        var underWay: ItemDescription?
        return try answering { enclave in
            do {
                return try enclave.storeAll(items, &underWay, for: caller, in: state, secret)
            } catch is KeysGoneError {
                // The caller may be able to supply items and secrets only once, so storing is not repeated. The
                // decision is made again on the locked device.
                enclave.begin()
                if let underWay { try enclave.authorizeStoring(underWay, for: caller, in: state) }
                throw VaultError.busy(enclave.store.path)
            }
        }
    }

    private mutating func storeAll(
        _ items: some Sequence<ItemDescription>, _ underWay: inout ItemDescription?, for caller: Caller,
        in state: ContextState, _ secret: (_ place: Int) throws -> SecureBytes?
    ) throws -> [ItemIdentifier] {
        try transaction(isLarge: true) { enclave in
            var stored: [ItemIdentifier] = []
            for (place, item) in items.enumerated() {
                underWay = item
                try enclave.makeRoomWithinTransaction()
                stored.append(
                    try lending(try secret(place)) {
                        try enclave.store(item, secret: $0, for: caller, in: state)
                    })
            }
            return stored
        }
    }

    /// Writes the waiting records in the middle of a transaction of many steps if there is little room for more.
    mutating func makeRoomWithinTransaction() throws {
        guard audit.isNearlyFull else { return }
        try audit.flush(into: &ledger.audit, in: store)
        audit.clear()
    }

    /// Changes an item. Whatever is nil in `changes` stays as it is.
    mutating func update(
        _ reference: ItemReference, _ changes: ItemChanges, secret: borrowing SecretChange, for caller: Caller,
        in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        try requireSize(ofSecret: secret.count)
        return try answering { enclave in
            try enclave.transaction { enclave in
                let id = try enclave.withRecord(reference) { enclave, record in
                    let grant: Grant
                    do {
                        grant = try enclave.authorizeUpdate(record, changes, for: caller, in: state)
                    } catch let refused as NotGrantedError {
                        // The header shows without a prompt that the secret has no former version.
                        if refused.authorization.wouldPrompt, secret.restoresVersion, !record.header.sealsBody {
                            throw VaultError.noFormerVersion
                        }
                        throw refused
                    }
                    return try enclave.rewrite(record, changes, secret, by: grant, for: caller, in: state)
                }
                return try id ?? enclave.missing(.update, reference, for: caller, in: state)
            }
        }
    }

    /// Deletes an item, or sets it aside for as long as `limit` allows.
    mutating func delete(
        _ reference: ItemReference, keeping limit: HistoryLimit, for caller: Caller, in state: ContextState
    ) throws -> Reply<ItemIdentifier> {
        try answering { enclave in
            try enclave.transaction { enclave in
                let id = try enclave.withRecord(reference) { enclave, record in
                    _ = try enclave.authorize(.delete, record, for: caller, in: state).grant(record.header.id)
                    try enclave.remove(record, keeping: limit, for: caller)
                    return record.header.id
                }
                return try id ?? enclave.missing(.delete, reference, for: caller, in: state)
            }
        }
    }

    /// Runs `body`, and turns a request that was not granted into a reply.
    mutating func answering<Value: Sendable>(
        _ body: (inout VaultState) throws -> Value
    ) throws -> Reply<Value> {
        do {
            return .granted(try body(&self))
        } catch let refused as NotGrantedError {
            return Reply(refusing: refused.authorization, refused.item) ?? .denied(Denial(.itemNotFound))
        }
    }

    /// Decides about an item that does not exist.
    private mutating func missing(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        throw NotGrantedError(authorization: try authorizeMissing(action, reference, for: caller, in: state))
    }

    // MARK: - Storing

    private mutating func store(
        _ item: ItemDescription, secret: RawSpan?, isBody: Bool = false, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        try requireSize(of: item.attributes)
        if let count = secret?.byteCount { try requireSize(ofSecret: count) }
        try authorizeStoring(item, for: caller, in: state)
        try clearTheWay(for: item.primaryKey, for: caller, in: state)
        let now = hour(for: caller)
        let id = ItemIdentifier.random()
        try put(
            item, id, binding: device.conditions().binding, created: now, modified: now, secret: secret,
            isBody: isBody, in: state)
        return id
    }

    /// Decides if a new item may be stored. One that is kept outside the vault is in no access group.
    ///
    /// - Throws: ``NotGrantedError`` if it may not.
    mutating func authorizeStoring(
        _ new: ItemDescription, isApart: Bool = false, for caller: Caller, in state: ContextState
    ) throws {
        try requireRoomForRecord()
        try requireSensorAsked(new.control, for: caller)
        let conditions = conditions(for: caller)
        let item = Item(
            new.control, group: isApart ? .first : decider.number(of: groupTag(new.group, store.fixed.index)),
            isKey: new.isKey,
            isSynchronizable: new.isSynchronizable)
        let authorization = try authorize(
            .item(item, .add, namesGroup: caller.namesGroup), on: new.primaryKey.tag(store.fixed.index), .add,
            for: caller,
            in: state, under: conditions)
        _ = try authorization.grant(nil)
    }

    /// Makes room for an item under this primary key. Deletes an invalidated item there; any other item stays, and the
    /// request is denied by a decision about it.
    mutating func clearTheWay(
        for key: PrimaryKey, for caller: Caller, in state: ContextState
    ) throws {
        if let row = try invalidatedRow(under: key) {
            if row.isInvalidated { return try deleteRow(row.number) }
            _ = try withRecord(.key(key)) { enclave, record in
                throw NotGrantedError(
                    authorization: try enclave.authorize(.checkDuplicate, record, for: caller, in: state),
                    item: record.header.id)
            }
        }
    }

    mutating func invalidatedRow(under key: PrimaryKey) throws -> (number: Int64, isInvalidated: Bool)? {
        try withRecord(.key(key)) { enclave, record in
            let item = record.header.item(in: .first)
            return (record.header.row, invalidation(of: item, under: enclave.device.conditions()) != nil)
        }
    }

    private func requireSize(of attributes: Attributes) throws {
        let count = attributes.encodedCount
        guard count <= Attributes.limit else { throw VaultError.attributesTooLarge(count) }
    }

    func requireSize(ofSecret count: Int) throws {
        guard count <= SecretSize.limit else { throw VaultError.secretTooLarge(count) }
    }

    /// Seals an item and writes it into the row that its primary key determines. A transaction is open, and the request
    /// has been granted.
    mutating func put(
        _ item: ItemDescription, _ id: ItemIdentifier, binding: Binding, created: Int64, modified: Int64,
        secret: RawSpan?, isBody: Bool = false, in state: ContextState
    ) throws {
        let sealed = try sealing(
            item, id, binding: binding, created: created, modified: modified, secret: secret, isBody: isBody, in: state)
        try ledger.items.insert(sealed, into: store)
    }

    /// Returns an item sealed. A transaction is open, and the request has been granted.
    mutating func sealing(
        _ item: ItemDescription, _ id: ItemIdentifier, binding: Binding, created: Int64, modified: Int64,
        secret: RawSpan?, isBody: Bool = false, in state: ContextState
    ) throws -> SealedItem {
        // Create a gate that could not be created while the gate key was closed, because this item may be bound to it.
        if let newBag = try bagWithMissingGates() { try commit(newBag, device, destroying: false) }
        let stamp = ItemStamp(
            id: id, version: ledger.commits + 1, binding: binding, created: created, modified: modified)
        return try seals.lockUp(item, stamp, secret: secret, isBody: isBody, in: state, bag)
    }

    /// Deletes the row of an item, or sets it aside for as long as `limit` allows. An invalidated item opens no more, so
    /// nothing of it is kept. A transaction is open.
    mutating func remove(_ record: RecordView, keeping limit: HistoryLimit, for caller: Caller) throws {
        let header = record.header
        let isInvalidated = invalidation(of: header.item(in: .first), under: device.conditions()) != nil
        guard limit.age > 0, !isInvalidated else {
            try ledger.forgetRemoved(row: header.row, in: store)
            return try deleteRow(header.row)
        }
        let now = hour(for: caller)
        try ledger.forgetRemoved(until: now.subtractingReportingOverflow(limit.age).partialValue, in: store)
        try ledger.setAside(row: header.row, at: now, in: store)
    }

    /// Deletes a row. A transaction is open.
    mutating func deleteRow(_ row: Int64) throws { try ledger.items.remove(row: row, from: store) }

    // MARK: - Changing

    /// Decides whether an item may be changed in this way. A new access policy is granted only if it could be stored.
    ///
    /// - Throws: ``NotGrantedError`` if the change is not granted.
    mutating func authorizeUpdate(
        _ record: RecordView, _ changes: ItemChanges, for caller: Caller, in state: ContextState
    ) throws -> Grant {
        let grant = try authorize(.update, record, for: caller, in: state).grant(record.header.id)
        let old = try seals.stored(record).description
        let new = old.with(changes)
        try requireSize(of: new.attributes)
        if changes.control != nil || new.group != old.group || new.isSynchronizable != old.isSynchronizable {
            let offered = state.context.offersApplicationPassword
            // The item keeps the application password that opened it. The user chooses a new one only if it had none.
            if old.control.needsApplicationPassword { state.context.offersApplicationPassword = true }
            defer { state.context.offersApplicationPassword = offered }
            try authorizeStoring(new, for: caller, in: state)
        }
        if new.primaryKey != old.primaryKey { try clearTheWay(for: new.primaryKey, for: caller, in: state) }
        return grant
    }

    mutating func rewrite(
        _ record: RecordView, _ changes: ItemChanges, _ change: borrowing SecretChange, by grant: Grant,
        for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        let header = record.header
        let old = try seals.stored(record).description
        let new = old.with(changes)
        let id = header.id
        let binding = changes.control == nil ? header.binding : device.conditions().binding
        let modified = max(hour(for: caller), header.modified == .max ? .max : header.modified + 1)
        let step = Step(
            mayKeepFormer: new.mayKeepFormer(of: old, binding, header.binding, device.settings.fidelity),
            date: modified)
        let plaintext = try self.plaintext(of: record, after: change, step, by: grant, in: state)
        try deleteRow(header.row)
        try lending(plaintext.bytes) { secret in
            if let count = secret?.byteCount { try requireSize(ofSecret: count) }
            try put(
                new, id, binding: binding,
                created: changes.created.flatMap { ItemDate.milliseconds(of: $0) } ?? header.created,
                modified: modified, secret: secret, isBody: plaintext.isBody, in: state)
        }
        if changes.control != nil {
            // Evidence of a password counts for the wrap that it opened, and that wrap no longer exists.
            let item = header.id.evidenceID
            contexts.wipe([.applicationPassword]) { $0.context[.applicationPassword]?.item == item }
        }
        return id
    }
}

/// Calls `body` with the bytes of a secret, or with nil if there is none.
func lending<Result: ~Copyable>(
    _ secret: borrowing SecureBytes?, _ body: (RawSpan?) throws -> Result
) rethrows -> Result {
    switch secret {
    case .some(let bytes): try bytes.withBytes { try body($0) }
    case .none: try body(nil)
    }
}

extension Authorization {
    /// Returns the grant. Throws ``NotGrantedError`` if there is none.
    func grant(_ item: ItemIdentifier?) throws -> Grant {
        guard case .granted(let grant) = self else { throw NotGrantedError(authorization: self, item: item) }
        return grant
    }
}

extension ItemDescription {
    func with(_ changes: ItemChanges) -> ItemDescription {
        var changed = self
        if let attributes = changes.attributes { changed.attributes = attributes }
        changed.attributes.values.merge(changes.merging.values) { $1 }
        if let control = changes.control { changed.control = control }
        if let group = changes.group { changed.group = group }
        if let isSynchronizable = changes.isSynchronizable { changed.isSynchronizable = isSynchronizable }
        if let allowsReuse = changes.allowsReuse { changed.allowsReuse = allowsReuse }
        return changed
    }
}
