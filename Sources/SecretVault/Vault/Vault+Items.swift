public import AccessPolicy
internal import DeviceModel
public import SodiumKit

extension Vault {
    /// Stores a new item.
    ///
    /// If an item with the same primary key exists, the vault denies the request; it may ask for the authentication of
    /// that item first. An invalidated item is replaced. An item with an application password needs one in `context`.
    ///
    /// - Throws: ``VaultError`` if the vault cannot store the item.
    public func add(
        _ item: ItemDescription, secret: borrowing SecureBytes, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try secret.withBytes { secret throws(VaultError) in
            try run(in: context) { try $0.add(item, secret: secret, for: caller, in: $1) }
        }
    }

    /// Stores a new item that has no secret.
    public func add(
        _ item: ItemDescription, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { try $0.add(item, secret: nil, for: caller, in: $1) }
    }

    /// Stores a new item with a value and fields, as ``add(_:secret:for:in:)`` stores one with a value alone.
    package func add(
        _ item: ItemDescription, parts: borrowing SecretParts, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { try $0.add(item, parts: parts, for: caller, in: $1) }
    }

    /// Deletes items and stores a new one in one transaction: all of it happens, or none. Items that do not exist for
    /// the caller are skipped. Each step is decided as if it were a request of its own. The deletions can be undone for as
    /// long as `limit` says.
    package func exchange(
        _ former: [ItemReference], for item: ItemDescription, secret: borrowing SecureBytes,
        keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try secret.withBytes { secret throws(VaultError) in
            try run(in: context) {
                try $0.exchange(former, for: item, secret: secret, keeping: limit, for: caller, in: $1)
            }
        }
    }

    /// Returns the mark of the items, which changes whenever any program stores, changes or deletes one.
    package func itemsMark() throws(VaultError) -> ItemsMark { try run { try $0.itemsMark() } }

    /// Stores many new items in one transaction: all of them, or none. Each is decided as if it were a request of its
    /// own. If one is not granted, its reply is the reply for all.
    ///
    /// This is much faster than adding the items one by one. All of them stay in memory until they are stored. The
    /// vault reads `items` and calls `secret` during its operation, so neither may use the vault or its contexts.
    public func addAll(
        _ items: some Sequence<ItemDescription>, for caller: Caller, in context: VaultContext? = nil,
        secret: (_ place: Int) throws -> SecureBytes?
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { try $0.addAll(items, for: caller, in: $1, secret: secret) }
    }

    /// Returns the secret of an item; nil for an item without one. Private keys cannot be read.
    ///
    /// - Throws: ``VaultError`` if the item or the vault is damaged, or the vault is closed.
    public func read(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        try release(item, for: caller, in: context).bytes()
    }

    /// Returns the secret of an item with the item's identifier.
    package func readKnown(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ReleasedSecret> {
        try release(item, for: caller, in: context)
    }

    /// Returns a part of an item's secret; nil if it has none such. Former versions beyond the limit count as gone.
    package func readPart(
        _ part: SecretPart, of item: ItemReference, keeping limit: HistoryLimit, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        let reply: Reply<ReleasedSecret> = try run(in: context) { enclave, state in
            try enclave.decidingAgain {
                try $0.readPart(part, item, keeping: limit, for: caller.released, in: state)
            }
        }
        return reply.bytes()
    }

    /// Returns what an item's secret consists of; nil for an item without one. This needs the same authentication as
    /// reading it. Former versions beyond the limit count as gone.
    package func outline(
        _ item: ItemReference, keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecretOutline?> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.outline(item, keeping: limit, for: caller.released, in: state) }
        }
    }

    /// Returns the secret of an item for `caller`.
    ///
    /// A preflight asks only for the decision and gets no bytes: see ``decision(_:_:for:in:)``.
    private func release(
        _ item: ItemReference, for caller: Caller, in context: VaultContext?
    ) throws(VaultError) -> Reply<ReleasedSecret> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.release(.readData, item, for: caller.released, in: state) }
        }
    }

    /// Returns the attributes and dates of an item. This needs the same authentication as reading the secret.
    public func attributes(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.readAttributes, item, for: caller, in: context)
    }

    /// Returns the name and access policy of an item for the owner's own list. This needs only that the item's class is
    /// open.
    public func inventory(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.inventory, item, for: caller, in: context)
    }

    /// Returns the attributes and dates of an item, for any action that neither writes nor uses the secret.
    package func describe(
        _ action: Action, _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        if action.writes || action.usesSecret { return .denied(Denial(.operationWithoutEntry)) }
        return try run(in: context) { try $0.describe(action, item, for: caller, in: $1) }
    }

    /// Changes an item.
    public func update(
        _ item: ItemReference, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange,
        for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.update(item, changes, secret: secret, for: caller, in: state) }
        }
    }

    /// Changes several items in one transaction: all of them, or none. Items that do not exist for the caller, because
    /// they are invalidated or belong to another group, are skipped. If that is true of all, the reply says so.
    public func updateAll(
        _ items: [ItemIdentifier], _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange,
        for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.updateAll(items, changes, secret: secret, for: caller, in: state) }
        }
    }

    /// Deletes several items in one transaction: all of them, or none. Items that do not exist for the caller are
    /// skipped.
    public func deleteAll(
        _ items: [ItemIdentifier], keeping limit: HistoryLimit = .none, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { try $0.deleteAll(items, keeping: limit, for: caller, in: $1) }
    }

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
        try run(in: context) { try $0.delete(item, keeping: limit, for: caller, in: $1) }
    }

    /// Undoes the deletion of an item that was deleted within the limit. The item opens as it did before. This asks for no
    /// authentication, and is denied if another item has the place.
    public func putBack(
        _ key: PrimaryKey, keeping limit: HistoryLimit, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { try $0.putBack(key, keeping: limit, for: caller, in: $1) }
    }

    /// Returns true if an item was deleted under this primary key within the limit, so that it can be brought back.
    package func wasDeleted(
        _ key: PrimaryKey, within limit: HistoryLimit, for caller: Caller
    ) throws(VaultError) -> Bool {
        try run { try $0.wasDeleted(key, within: limit, for: caller) }
    }

    /// Returns the identifier of the item that the record of an addition is about: the one that is stored under the primary
    /// key with this tag, or set aside. Returns nil if there is none.
    package func identifier(underTag bytes: [UInt8]) throws(VaultError) -> ItemIdentifier? {
        guard bytes.count == Tag.count else { return nil }
        let tag = Tag(bytes.span.bytes)
        return try run { try $0.identifier(under: tag) }
    }

    /// Deletes for good an item whose deletion could still be undone.
    package func forgetRemoved(
        _ key: PrimaryKey, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { try $0.forgetRemoved(key, for: caller, in: $1) }
    }

    /// Deletes for good every item that was deleted longer ago than the limit allows.
    package func forgetRemoved(beyond limit: HistoryLimit, for caller: Caller) throws(VaultError) {
        try run { try $0.forgetRemoved(beyond: limit, for: caller) }
    }

    /// Returns the items that match a search, in the order in which they were stored. It reveals only identifier, class
    /// and access policy; request the rest item by item.
    public func find(_ search: ItemSearch) throws(VaultError) -> [FoundItem] { try run { try $0.find(search) } }

    /// Passes the name and access policy of each item that matches a search to `body`, for the owner's own list. This
    /// needs only that the item's class is open. The search may name nothing but class, columns and groups.
    ///
    /// This reads every row once and keeps none of them, so it is fast and takes little memory. `body` is called during
    /// the vault's operation, so it must not use the vault or its contexts. If a lock takes the keys away meanwhile, the
    /// list begins again; `begin` is called first each time.
    package func list(
        _ search: ItemSearch, _ parts: ListedParts, for caller: Caller, begin: () -> Void, _ body: (ListedItem) -> Void
    ) throws(VaultError) -> ListCount {
        try run(in: nil) { try $0.list(search, parts, for: caller, in: $1, begin, body) }
    }

    /// Passes each deleted item that can be brought back to `body`, as ``list(_:_:for:begin:_:)`` does with the others.
    package func listDeleted(
        _ search: ItemSearch, _ parts: ListedParts, within limit: HistoryLimit, for caller: Caller, begin: () -> Void,
        _ body: (ListedItem) -> Void
    ) throws(VaultError) -> ListCount {
        try run(in: nil) { try $0.list(search, parts, deletedWithin: limit, for: caller, in: $1, begin, body) }
    }

    /// Renames items, or stores copies of them under other names, in one transaction: all of them, or none. Each step is
    /// decided as if it were a request of its own: a rename as an update, and a copy as reading the item and adding
    /// another. If one is not granted, its reply is the reply for all.
    package func relocateAll(
        _ relocations: [Relocation], for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<Int> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.relocateAll(relocations, for: caller, in: state) }
        }
    }

    /// Returns the item with this identifier; nil if there is none.
    public func find(_ id: ItemIdentifier) throws(VaultError) -> FoundItem? {
        try run { enclave in
            try enclave.withRecord(.id(id)) { _, record in
                FoundItem(
                    id: id, itemClass: record.header.itemClass, control: record.header.control, isCertain: true)
            }
        }
    }

    /// Returns the decision on a request for an item of this group that does not exist.
    package func decision(
        _ action: Action, missingFrom group: String, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Decision {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: context) { try $0.authorizeMissing(action, .key(key), for: caller, in: $1).decision }
    }

    /// Returns the denial of `action` in this group, if it is denied whatever is stored there. If the result depends on
    /// what is stored, returns nil and records nothing.
    public func refusal(
        of action: Action, inGroup group: String, for caller: Caller
    ) throws(VaultError) -> Denial? {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: nil) { enclave, state in
            if enclave.isOpen(action, .key(key), for: caller, in: state) { return nil }
            return try enclave.authorizeMissing(action, .key(key), for: caller, in: state).decision.denial
        }
    }

    /// Returns the decision that a request would get. This releases no secret and changes nothing.
    public func decision(
        _ action: Action, _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Decision {
        var caller = caller
        caller.interaction = .preflight
        return try run(in: context) { [caller] enclave, state in
            let found = try enclave.withRecord(item) { enclave, record in
                try enclave.authorize(action, record, for: caller, in: state).decision
            }
            if let found { return found }
            try enclave.refresh()
            return try enclave.authorizeMissing(action, item, for: caller, in: state).decision
        }
    }

    /// Returns true if some wrap of an item opens with the open class keys, the gates and the password that `context`
    /// holds, without any decision. Tests use this to show that decision and decryption agree.
    package func opensByForce(_ item: ItemReference, in context: VaultContext) throws(VaultError) -> Bool {
        try run(in: context) { enclave, state in
            try enclave.withRecord(item) { try $0.seals.opensByForce($1, in: state) } ?? false
        }
    }

    /// Returns true if an item is invalidated, so that nothing can open or use it again; nil if there is no such item.
    /// This changes nothing.
    package func isInvalidated(_ item: ItemReference) throws(VaultError) -> Bool? {
        try run { enclave in
            try enclave.refresh()
            return try enclave.withRecord(item) { enclave, record in
                lastingDenial(of: record.header.item(in: .first), under: enclave.device.conditions()) != nil
            }
        }
    }

    /// Checks the whole vault and reports every fault, row by row. Changes nothing.
    public func verify() throws(VaultError) -> VerifyReport {
        try run { enclave in
            try enclave.refresh()
            var report = try enclave.store.verify(enclave.seals)
            if enclave.bag.settingsPutBack > 0 { report.findings.insert(.settings, at: 0) }
            return report
        }
    }
}

extension Reply where Value == ReleasedSecret {
    /// Returns the same reply without the item's identifier.
    fileprivate consuming func bytes() -> Reply<SecureBytes?> {
        switch consume self {
        case .granted(var released): .granted(released.bytes.take())
        case .challenge(let challenge): .challenge(challenge)
        case .denied(let denial): .denied(denial)
        }
    }
}
