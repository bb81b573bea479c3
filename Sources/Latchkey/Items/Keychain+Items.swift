public import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

extension Keychain {
    /// Stores a new item with this secret.
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

    /// Stores a new item that has no secret.
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

    /// Takes items out and stores a new one, all in one transaction, so that nothing can end between the two. Items that are not
    /// there are passed over. As with each step alone, nobody is asked.
    @discardableResult
    package func exchange(
        _ former: [ItemReference], for item: NewItem, secret: borrowing SecureBytes, by requester: Requester? = nil,
        in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        let description = try describe(item, &call)
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.exchange(former, for: description, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Throws where `item` would be refused whatever is stored: it cannot be understood, or its group is not the caller's.
    package func requireMeaning(of item: NewItem, by requester: Requester? = nil) throws(KeychainError) {
        var call = KeychainCall(self, by: requester, in: nil)
        let group = try describe(item, &call).group
        try requireGroup(group, for: .add, by: requester)
    }

    /// Throws where `action` on items of this group, which the caller names, would be refused whatever is stored.
    func requireGroup(
        _ group: String?, for action: Action, by requester: Requester?, interaction: Interaction = .allowed
    ) throws(KeychainError) {
        guard let group else { return }
        var call = KeychainCall(self, by: requester, in: nil, interaction: interaction)
        call.namesGroup = true
        let refusal = try onVault { (vault) throws(VaultError) in
            try vault.refusal(of: action, inGroup: group, for: call.caller(.believed))
        }
        if let refusal { throw denied(refusal) }
    }

    private func describe(_ item: NewItem, _ call: inout KeychainCall) throws(KeychainError) -> ItemDescription {
        call.namesGroup = item.group != nil
        call.stores = true
        try requirePort(in: item.attributes)
        do throws(RequestError) { return try item.description(for: call.requester) } catch { throw .request(error) }
    }

    /// Brings out a secret, asking the user for what is missing; nothing for an item that has none.
    public func read(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecureBytes? {
        try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.read(item, for: caller, in: vaultContext)
        }
    }

    /// Brings out what is known of an item besides its secret, which asks for the same proofs as the secret.
    public func attributes(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> StoredItem {
        try describe(item, for: .readAttributes, by: requester, in: context, interaction: interaction)
    }

    /// The same for any action that brings out no secret and changes nothing.
    package func describe(
        _ item: ItemReference, for action: Action, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> StoredItem {
        try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.describe(action, item, for: caller, in: vaultContext)
        }
    }

    /// Brings out a private key for `action`, which is one of those that use one.
    package func useKey(
        _ item: ItemReference, to action: Action, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> SecureBytes? {
        try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.use(item, to: action, for: caller, in: vaultContext)
        }
    }

    /// Brings out name and demand of an item for the owner's own list, which asks for its class to be open only.
    public func inventory(_ item: ItemReference, by requester: Requester? = nil) throws(KeychainError) -> StoredItem {
        try inventory(item, KeychainCall(self, by: requester, in: nil))
    }

    func inventory(_ item: ItemReference, _ call: KeychainCall) throws(KeychainError) -> StoredItem {
        try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.inventory(item, for: caller, in: vaultContext)
        }
    }

    /// Changes an item, all of whose attributes stay that `changes` do not name.
    @discardableResult
    public func update(
        _ item: ItemReference, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange = .keep,
        by requester: Requester? = nil, in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> ItemIdentifier {
        let itemClass: ItemClass?
        switch item {
        case .key(let key): itemClass = key.itemClass
        case .id(let id): itemClass = try onVault { (vault) throws(VaultError) in try vault.find(id)?.itemClass }
        }
        let changes = try prepared(changes, for: itemClass)
        return try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.update(item, changes, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Changes as items of this class take them; as they are where there is no item, and so no class.
    func prepared(_ changes: ItemChanges, for itemClass: ItemClass?) throws(KeychainError) -> ItemChanges {
        if changes.control != nil, fidelity.demandByUpdate == .refused {
            throw .request(.fixedPolicy)
        }
        try requirePort(in: changes.merging)
        guard let itemClass else { return changes }
        do throws(RequestError) { return try changes.converted(for: itemClass) } catch { throw .request(error) }
    }

    /// Throws where a port is an empty text, and the device takes none.
    private func requirePort(in attributes: Attributes) throws(KeychainError) {
        if fidelity.emptyPort == .refused, attributes["port"] == .string("") { throw .request(.badValue("port")) }
    }

    /// Takes an item out, which asks nobody.
    public func delete(
        _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) {
        _ = try authorize(KeychainCall(self, by: requester, in: context, interaction: interaction)) {
            (caller, vaultContext) throws(VaultError) in
            try vault.delete(item, for: caller, in: vaultContext)
        }
    }

    /// What would be decided of an item now. Nobody is asked, and nothing changes.
    public func decision(
        _ action: Action, _ item: ItemReference, by requester: Requester? = nil, in context: KeychainContext? = nil
    ) throws(KeychainError) -> Decision {
        if let context, context.keychain !== self { throw .foreignContext }
        return try ask(KeychainCall(self, by: requester, in: context)) { (caller, vaultContext) throws(VaultError) in
            try vault.decision(action, item, for: caller, in: vaultContext)
        }
    }

    /// Which item of the caller's this is: the one of this class with these unique attributes, in its first group.
    public func reference(
        _ itemClass: ItemClass, _ attributes: Attributes, group: String? = nil, isSynchronizable: Bool = false,
        by requester: Requester? = nil
    ) -> ItemReference {
        let group = group ?? (requester ?? self.requester).usualGroup
        // What the class does not have, or takes no such value for, no item has.
        let attributes = (try? attributes.converted(for: itemClass)) ?? attributes
        return .key(PrimaryKey(itemClass, attributes, group: group, isSynchronizable: isSynchronizable))
    }

    /// Which item of the caller's this is: the generic password of this account and service.
    public func password(account: String, service: String, by requester: Requester? = nil) -> ItemReference {
        // Both attributes are texts, as the class has them: nothing to convert.
        .key(PrimaryKey(account: account, service: service, group: (requester ?? self.requester).usualGroup))
    }
}
