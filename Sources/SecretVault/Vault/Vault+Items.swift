public import AccessPolicy
internal import DeviceModel
public import SodiumKit

extension Vault {
    /// Stores a new item.
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

    /// Takes items out and stores a new one in one transaction: all of it happens, or nothing. Items that are not there for the
    /// caller are passed over. Each step is decided about as if it came alone.
    package func exchange(
        _ former: [ItemReference], for item: ItemDescription, secret: borrowing SecureBytes, for caller: Caller,
        in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try secret.withBytes { secret throws(VaultError) in
            try run(in: context) { try $0.exchange(former, for: item, secret: secret, for: caller, in: $1) }
        }
    }

    /// Stores many new items in one transaction, all of them or none. Each is decided about as if it came alone; the answer to
    /// the first that is refused is the answer to all.
    ///
    /// Much faster than one by one. What is stored stays in memory until all of it is. `items` and `secret` are asked while the
    /// vault is held: they must not use the vault or its contexts.
    public func addAll(
        _ items: some Sequence<ItemDescription>, for caller: Caller, in context: VaultContext? = nil,
        secret: (_ place: Int) throws -> SecureBytes?
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { try $0.addAll(items, for: caller, in: $1, secret: secret) }
    }

    /// Brings out a secret: nothing for an item that has none. Private keys are never read.
    public func read(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        try release(.readData, item, for: caller, in: context).bytes()
    }

    /// The same, with what the item is known by for life.
    package func readKnown(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ReleasedSecret> {
        try release(.readData, item, for: caller, in: context)
    }

    /// Brings out a private key for `action`, which is one of those that use one.
    package func use(
        _ item: ItemReference, to action: Action, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<SecureBytes?> {
        try release(action, item, for: caller, in: context).bytes()
    }

    private func release(
        _ action: Action, _ item: ItemReference, for caller: Caller, in context: VaultContext?
    ) throws(VaultError) -> Reply<ReleasedSecret> {
        guard action.usesSecret else { return .denied(Denial(.operationWithoutEntry)) }
        guard caller.interaction == .preflight else {
            return try run(in: context) { enclave, state in
                try enclave.decidingAgain { try $0.release(action, item, for: caller, in: state) }
            }
        }
        // What only wants to know gets no bytes: see ``decision(_:_:for:in:)``.
        var asked = caller
        asked.interaction = .fail
        return try release(action, item, for: asked, in: context)
    }

    /// Brings out what is known of an item besides its secret, which asks for the same proofs as the secret.
    public func attributes(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.readAttributes, item, for: caller, in: context)
    }

    /// Brings out name and demand of an item for the owner's own list, which asks for its class to be open only.
    public func inventory(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<StoredItem> {
        try describe(.inventory, item, for: caller, in: context)
    }

    /// Brings out what is known of an item besides its secret, for any action that brings out no more than that.
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

    /// Changes several items in one transaction, all of them or none. Those that are not there for the caller, because they
    /// are lost or another group's, are passed over; where all are, the answer says so.
    public func updateAll(
        _ items: [ItemIdentifier], _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange,
        for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { enclave, state in
            try enclave.decidingAgain { try $0.updateAll(items, changes, secret: secret, for: caller, in: state) }
        }
    }

    /// Takes several items out in one transaction, all of them or none, passing over what is not there for the caller.
    public func deleteAll(
        _ items: [ItemIdentifier], for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { try $0.deleteAll(items, for: caller, in: $1) }
    }

    /// Takes an item out.
    public func delete(
        _ item: ItemReference, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { try $0.delete(item, for: caller, in: $1) }
    }

    /// The items that a search comes upon, in the order in which they were stored; what may be known of each is asked for one by
    /// one.
    public func find(_ search: ItemSearch) throws(VaultError) -> [FoundItem] { try run { try $0.find(search) } }

    /// The item that is known by `id`; nil where there is none.
    public func find(_ id: ItemIdentifier) throws(VaultError) -> FoundItem? {
        try run { enclave in
            try enclave.withRecord(.id(id)) { _, record in
                FoundItem(
                    id: id, itemClass: record.header.itemClass, control: record.header.control, isCertain: true)
            }
        }
    }

    /// The decision about an item of this group that is not there.
    package func decision(
        _ action: Action, missingFrom group: String, for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Decision {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: context) { try $0.authorizeMissing(action, .key(key), for: caller, in: $1).decision }
    }

    /// Why `action` in this group is refused whatever is stored there. Where it depends on that, nothing goes on record.
    public func refusal(
        of action: Action, inGroup group: String, for caller: Caller
    ) throws(VaultError) -> Denial? {
        let key = PrimaryKey(.genericPassword, [:], group: group)
        return try run(in: nil) { enclave, state in
            if enclave.isOpen(action, .key(key), for: caller, in: state) { return nil }
            return try enclave.authorizeMissing(action, .key(key), for: caller, in: state).decision.denial
        }
    }

    /// What would be decided. Nothing is brought out and nothing changes.
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

    /// Whether some wrap of an item opens by the class keys that are open and the gates and the password that `context` holds,
    /// without anybody deciding anything. It brings nothing out: it is for showing that deciding and opening agree.
    package func opensByForce(_ item: ItemReference, in context: VaultContext) throws(VaultError) -> Bool {
        try run(in: context) { enclave, state in
            try enclave.withRecord(item) { try $0.seals.opensByForce($1, in: state) } ?? false
        }
    }

    /// Returns whether an item is lost, so that nothing opens or uses it any more; nil if there is none. Looking changes nothing.
    package func isInvalidated(_ item: ItemReference) throws(VaultError) -> Bool? {
        try run { enclave in
            try enclave.refresh()
            return try enclave.withRecord(item) { enclave, record in
                lastingDenial(of: record.header.item(in: .first), under: enclave.device.conditions()) != nil
            }
        }
    }

    /// Looks at everything, and says what is wrong, row by row. Changes nothing.
    public func verify() throws(VaultError) -> VerifyReport {
        try run { enclave in
            try enclave.refresh()
            return try enclave.store.verify(enclave.seals)
        }
    }
}

extension Reply where Value == ReleasedSecret {
    /// The same without what the item is known by.
    fileprivate consuming func bytes() -> Reply<SecureBytes?> {
        switch consume self {
        case .granted(var released): .granted(released.bytes.take())
        case .challenge(let challenge): .challenge(challenge)
        case .denied(let denial): .denied(denial)
        }
    }
}
