internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// An error that rolls a transaction back because its request was not granted.
struct NotGrantedError: NothingToCommitError {
    let authorization: Authorization
    /// The stored item that the decision was about.
    var item: ItemIdentifier?
}

extension NotGrantedError {
    /// Creates the error of a denial by `rule`.
    init(_ rule: Rule, _ item: ItemIdentifier? = nil) { self.init(authorization: .denied(Denial(rule)), item: item) }
}

extension VaultState {
    /// Runs `body` in a transaction, and turns a request that was not granted into a reply. If `isLarge`, it changes very
    /// many rows.
    mutating func changing<Value: Sendable>(
        isLarge: Bool = false, _ body: (inout VaultState) throws -> Value
    ) throws -> Reply<Value> {
        try answering { try $0.transaction(isLarge: isLarge, body) }
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

    /// Writes the waiting records in the middle of a transaction of many steps if there is little room for more.
    mutating func makeRoomWithinTransaction() throws {
        guard audit.isNearlyFull else { return }
        try audit.flush(into: &ledger.audit, in: store)
        audit.clear()
    }

    /// Decides about an item that does not exist, and throws the decision.
    mutating func missing(
        _ action: Action, _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        throw NotGrantedError(authorization: try authorizeMissing(action, reference, for: caller, in: state))
    }

    /// Calls `body` with each of these items, and returns those that were granted. Items that are absent for the caller are
    /// skipped. If all of them are, throws the last decision.
    mutating func each(
        _ items: [ItemIdentifier], _ body: (inout VaultState, RecordView) throws -> Void
    ) throws -> [ItemIdentifier] {
        var done: [ItemIdentifier] = []
        var last: NotGrantedError?
        for id in items {
            do {
                if try withRecord(.id(id), body) != nil { done.append(id) }
            } catch let refused as NotGrantedError where isAbsent(refused.authorization.decision) {
                last = refused
            }
        }
        if !done.isEmpty { return done }
        throw last ?? NotGrantedError(.itemNotFound)
    }

    /// Returns true if a decision treats the item as absent, because it is invalidated or in another access group.
    func isAbsent(_ decision: Decision) -> Bool {
        guard let denial = decision.denial else { return false }
        return isAbsence(denial.rule, device.settings.fidelity)
    }

    // MARK: - Storing

    /// Stores a new item. A transaction is open.
    mutating func store(
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
            _ = try withRecord(.key(key)) { vault, record in
                throw NotGrantedError(
                    authorization: try vault.authorize(.checkDuplicate, record, for: caller, in: state),
                    item: record.header.id)
            }
        }
    }

    mutating func invalidatedRow(under key: PrimaryKey) throws -> (number: Int64, isInvalidated: Bool)? {
        try withRecord(.key(key)) { vault, record in
            let item = record.header.item(in: .first)
            return (record.header.row, invalidation(of: item, under: vault.device.conditions()) != nil)
        }
    }

    func requireSize(of attributes: Attributes) throws {
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

    /// Deletes the row of an item if that is granted, or sets it aside for as long as `limit` allows. An invalidated item
    /// opens no more, so nothing of it is kept. A transaction is open.
    mutating func remove(
        _ record: RecordView, keeping limit: HistoryLimit, for caller: Caller, in state: ContextState
    ) throws {
        let header = record.header
        _ = try authorize(.delete, record, for: caller, in: state).grant(header.id)
        let isInvalidated = invalidation(of: header.item(in: .first), under: device.conditions()) != nil
        guard limit.age > 0, !isInvalidated else {
            try ledger.forgetRemoved(row: header.row, in: store)
            return try deleteRow(header.row)
        }
        let now = hour(for: caller)
        try ledger.forgetRemoved(until: now.subtractingReportingOverflow(limit.age).partialValue, in: store)
        try ledger.setAside(row: header.row, at: now, in: store)
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
