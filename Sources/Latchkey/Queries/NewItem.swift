public import AccessPolicy
public import SecretVault

/// An item to store. Whatever is left out takes the default of Apple's keychain (semantics 3.3).
public struct NewItem: Hashable, Sendable {
    /// The item class.
    public var itemClass: ItemClass
    /// The attributes that identify and describe the item, under Apple's names.
    public var attributes: Attributes
    /// The access policy; nil for the default of the item's class.
    public var control: AccessControl?
    /// The access group; nil for the first of the caller's.
    public var group: String?
    /// True if the item is a private key, which operations use and no call reads.
    public var isKey = false
    /// True if the item asks to sync through iCloud Keychain.
    public var isSynchronizable = false
    /// True if an authentication that a session has kept may open the item.
    public var allowsReuse = false

    /// Creates an item of this class.
    public init(
        _ itemClass: ItemClass, _ attributes: Attributes, _ control: AccessControl? = nil, group: String? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.control = control
        self.group = group
    }

    /// Creates a generic password for this account and service.
    public static func password(
        account: String, service: String, _ control: AccessControl? = nil, group: String? = nil
    ) -> NewItem {
        NewItem(
            .genericPassword, Attributes([.account: .string(account), .service: .string(service)]), control,
            group: group)
    }
}

extension NewItem {
    /// Returns the item as the vault stores it.
    func description(for requester: Requester) throws(ItemRequestError) -> ItemDescription {
        let attributes = try attributes.completed(for: itemClass)
        let group = group ?? requester.usualGroup
        var description = ItemDescription(
            itemClass, attributes, control ?? AccessControl(Self.usual(for: itemClass, in: group)), group: group,
            isKey: isKey, isSynchronizable: isSynchronizable)
        description.allowsReuse = allowsReuse
        return description
    }

    private static func usual(for itemClass: ItemClass, in group: String) -> Accessibility {
        if group == "com.apple.apsd" { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }
}
