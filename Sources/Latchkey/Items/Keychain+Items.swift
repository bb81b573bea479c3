public import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

extension Keychain {
    /// Stores a new item with a secret, prompting if the item's policy needs it.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if a rule denies it, such as for a duplicate;
    ///   ``KeychainError/request(_:)`` if the item makes no sense.
    @discardableResult
    public func add(
        _ item: NewItem, secret: borrowing SecureBytes, by requester: Requester? = nil,
        in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let description = try describe(item, &call)
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.add(description, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Stores a new item with a value and fields, as ``add(_:secret:by:in:interaction:)`` stores one with a value alone.
    package func add(
        _ item: NewItem, parts: borrowing SecretParts, by requester: Requester? = nil, in context: KeychainContext?,
        interaction: Interaction = .allowed
    ) throws(KeychainError) {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let description = try describe(item, &call)
        _ = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.add(description, parts: parts, for: caller, in: vaultContext)
        }
    }

    /// Stores a new item without a secret.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if a rule denies it, such as for a duplicate;
    ///   ``KeychainError/request(_:)`` if the item makes no sense.
    @discardableResult
    public func add(
        _ item: NewItem, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let description = try describe(item, &call)
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.add(description, for: caller, in: vaultContext)
        }
    }

    /// Deletes items and stores a new one in one transaction, so that a crash cannot end it in between. Items that do
    /// not exist are skipped. It prompts no more than the single steps would. The deletions can be undone for as long as
    /// `limit` says.
    @discardableResult
    package func exchange(
        _ former: [ItemReference], for item: NewItem, secret: borrowing SecureBytes,
        keeping limit: HistoryLimit = .none, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let description = try describe(item, &call)
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.exchange(
                former, for: description, secret: secret, keeping: limit, for: caller, in: vaultContext)
        }
    }

    /// Throws if `item` would be denied whatever is stored: it makes no sense, or its group is not one of the caller's.
    package func requireMeaning(of item: NewItem, by requester: Requester? = nil) throws(KeychainError) {
        var call = KeychainCall(self, by: requester, in: nil)
        let group = try describe(item, &call).group
        try requireGroup(group, for: .add, by: requester)
    }

    /// Throws if `action` on items of this group, which the caller names, would be denied whatever is stored.
    func requireGroup(
        _ group: String?, for action: Action, by requester: Requester?, interaction: Interaction = .allowed
    ) throws(KeychainError) {
        guard let group else { return }
        var call = KeychainCall(self, by: requester, in: nil, interaction: interaction)
        call.namesGroup = true
        let refusal = try onVault(vault.refusal(of: action, inGroup: group, for: call.caller(.believed)))
        if let refusal { throw denied(refusal) }
    }

    func describe(_ item: NewItem, _ call: inout KeychainCall) throws(KeychainError) -> ItemDescription {
        call.namesGroup = item.group != nil
        call.stores = true
        try requirePort(in: item.attributes)
        do { return try item.description(for: call.requester) } catch { throw .request(error) }
    }

    /// Returns the secret of an item, prompting for the missing factors; nil if the item has none.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist, is invalidated, or its access policy is not
    ///   satisfied.
    public func read(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecureBytes? {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.item = item
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.read(item, for: caller, in: vaultContext)
        }
    }

    /// Returns a part of an item's secret, prompting for the missing factors; nil if it has none such.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` as for ``read(_:by:in:interaction:)``.
    package func read(
        _ part: SecretPart, of item: ItemReference, keeping limit: HistoryLimit, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecureBytes? {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.item = item
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.readPart(part, of: item, keeping: limit, for: caller, in: vaultContext)
        }
    }

    /// Returns what an item's secret consists of, prompting as for reading it; nil if it has none.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` as for ``read(_:by:in:interaction:)``.
    package func outline(
        _ item: ItemReference, keeping limit: HistoryLimit, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecretOutline? {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.item = item
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.outline(item, keeping: limit, for: caller, in: vaultContext)
        }
    }

    /// Returns the attributes of an item, which need the same authentication as its secret.
    ///
    /// To list items without a prompt, use ``inventory(_:by:)``.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist, is invalidated, or its access policy is not
    ///   satisfied.
    public func attributes(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> StoredItem {
        try describe(item, for: .readAttributes, by: requester, in: context, interaction: interaction)
    }

    /// Returns an item once `action` is granted, which returns no secret and changes nothing.
    package func describe(
        _ item: ItemReference, for action: Action, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> StoredItem {
        try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.describe(action, item, for: caller, in: vaultContext)
        }
    }

    /// Returns the name and policy of an item for the owner's own list. It never prompts; only the item's accessibility
    /// class has to be available.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist or its class is locked.
    public func inventory(_ item: ItemReference, by requester: Requester? = nil) throws(KeychainError) -> StoredItem {
        try inventory(item, KeychainCall(self, by: requester, in: nil))
    }

    func inventory(_ item: ItemReference, _ call: KeychainCall) throws(KeychainError) -> StoredItem {
        try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.inventory(item, for: caller, in: vaultContext)
        }
    }

    /// Updates an item. Attributes that `changes` do not name stay as they are.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist or its access policy is not satisfied;
    ///   ``KeychainError/request(_:)`` if the changes make no sense.
    @discardableResult
    public func update(
        _ item: ItemReference, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange = .keep,
        by requester: Requester? = nil, in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        let itemClass: ItemClass?
        switch item {
        case .key(let key): itemClass = key.itemClass
        case .id(let id): itemClass = try onVault(vault.find(id)?.itemClass)
        case .sealed: itemClass = nil
        }
        let changes = try prepared(changes, for: itemClass)
        return try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.update(item, changes, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Returns the changes as items of this class take them; without a class, as there is no item, unchanged.
    func prepared(_ changes: ItemChanges, for itemClass: ItemClass?) throws(KeychainError) -> ItemChanges {
        if changes.control != nil, fidelity.demandByUpdate == .refused {
            throw .request(.fixedPolicy)
        }
        try requirePort(in: changes.merging)
        guard let itemClass else { return changes }
        do { return try changes.converted(for: itemClass) } catch { throw .request(error) }
    }

    /// Throws if a port is an empty text and the device accepts none.
    private func requirePort(in attributes: Attributes) throws(KeychainError) {
        if fidelity.emptyPort == .refused, attributes[.port] == .string("") {
            throw .request(.badValue(AttributeName.port.rawValue))
        }
    }

    /// Deletes an item. Deleting never prompts.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist or belongs to another group.
    public func delete(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) {
        try delete(item, keeping: .none, by: requester, in: context, interaction: interaction)
    }

    /// Deletes an item so that ``putBack(_:keeping:by:)`` can undo it for as long as `limit` says.
    package func delete(
        _ item: ItemReference, keeping limit: HistoryLimit, by requester: Requester? = nil,
        in context: KeychainContext?, interaction: Interaction = .allowed
    ) throws(KeychainError) {
        _ = try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.delete(item, keeping: limit, for: caller, in: vaultContext)
        }
    }

    /// Undoes the deletion of an item. It never prompts, and the item opens as it did before.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if none was deleted within the limit, or another item has its place.
    package func putBack(
        _ key: PrimaryKey, keeping limit: HistoryLimit, by requester: Requester? = nil
    ) throws(KeychainError) {
        _ = try authorize(KeychainCall(self, by: requester, in: nil)) { (caller, vaultContext) throws(VaultError) in
            try vault.putBack(key, keeping: limit, for: caller, in: vaultContext)
        }
    }

    /// Returns true if an item was deleted under this primary key within the limit.
    package func wasDeleted(
        _ key: PrimaryKey, within limit: HistoryLimit, by requester: Requester? = nil
    ) throws(KeychainError) -> Bool {
        let caller = KeychainCall(self, by: requester, in: nil).caller(.believed)
        return try onVault(vault.wasDeleted(key, within: limit, for: caller))
    }

    /// Deletes for good an item whose deletion could still be undone.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if there is none.
    package func forgetRemoved(_ key: PrimaryKey, by requester: Requester? = nil) throws(KeychainError) {
        _ = try authorize(KeychainCall(self, by: requester, in: nil)) { (caller, vaultContext) throws(VaultError) in
            try vault.forgetRemoved(key, for: caller, in: vaultContext)
        }
    }

    /// Deletes for good every item that was deleted longer ago than the limit allows.
    package func forgetRemoved(
        beyond limit: HistoryLimit, by requester: Requester? = nil
    ) throws(KeychainError) {
        let caller = KeychainCall(self, by: requester, in: nil).caller(.believed)
        try onVault(vault.forgetRemoved(beyond: limit, for: caller))
    }

    /// Returns what `action` on an item would decide now. It shows no prompt and changes nothing.
    public func decision(
        _ action: Action, _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil
    ) throws(KeychainError) -> Decision {
        if let context, context.keychain !== self { throw .foreignContext }
        return try ask(KeychainCall(self, by: requester, in: context)) { (caller, vaultContext) throws(VaultError) in
            try vault.decision(action, item, for: caller, in: vaultContext)
        }
    }

    /// Returns a reference to the caller's item with this class and these unique attributes. Without a group, it lies
    /// in the caller's first.
    public func reference(
        _ itemClass: ItemClass, _ attributes: Attributes, group: String? = nil, isSynchronizable: Bool = false,
        by requester: Requester? = nil
    ) -> ItemReference {
        let group = group ?? (requester ?? self.requester).usualGroup
        // An attribute that the class does not have, or a value that it does not take, matches no item, so it needs no
        // error here.
        let attributes = (try? attributes.converted(for: itemClass)) ?? attributes
        return .key(PrimaryKey(itemClass, attributes, group: group, isSynchronizable: isSynchronizable))
    }

    /// Returns a reference to the caller's generic password for this account and service.
    public func password(account: String, service: String, by requester: Requester? = nil) -> ItemReference {
        .key(primaryKey(account: account, service: service, by: requester))
    }

    /// Returns the primary key of the generic password with this account and service, which need not exist.
    package func primaryKey(account: String, service: String, by requester: Requester? = nil) -> PrimaryKey {
        // Both attributes are texts, as the class has them: nothing to convert.
        PrimaryKey(account: account, service: service, group: (requester ?? self.requester).usualGroup)
    }
}
