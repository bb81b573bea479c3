public import AccessPolicy
public import SecretVault

/// An item that is about to be stored. What is not said is as Apple's keychain has it (semantics 3.3).
public struct NewItem: Hashable, Sendable {
    /// The class.
    public var itemClass: ItemClass
    /// What it is found by, and what else is known of it, under Apple's names.
    public var attributes: Attributes
    /// What it demands; nil for what its class demands.
    public var control: AccessControl?
    /// Whose it is; nil for the first of the caller's groups.
    public var group: String?
    /// True if it is a private key, used by operations and never read.
    public var isKey = false
    /// True if it asks to travel through iCloud Keychain.
    public var isSynchronizable = false

    /// An item of this class.
    public init(
        _ itemClass: ItemClass, _ attributes: Attributes, _ control: AccessControl? = nil, group: String? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.control = control
        self.group = group
    }

    /// A generic password of this account and service.
    public static func password(
        account: String, service: String, _ control: AccessControl? = nil, group: String? = nil
    ) -> NewItem {
        NewItem(.genericPassword, ["acct": .string(account), "svce": .string(service)], control, group: group)
    }
}

extension NewItem {
    /// The item as the vault stores it.
    func description(for requester: Requester) throws(RequestError) -> ItemDescription {
        let attributes = try attributes.completed(for: itemClass)
        let group = group ?? requester.usualGroup
        return ItemDescription(
            itemClass, attributes, control ?? AccessControl(Self.usual(for: itemClass, in: group)), group: group,
            isKey: isKey, isSynchronizable: isSynchronizable)
    }

    private static func usual(for itemClass: ItemClass, in group: String) -> Accessibility {
        if group == "com.apple.apsd" { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }
}
