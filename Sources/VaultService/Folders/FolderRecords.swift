internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import SodiumKit

/// The encrypted folders in a vault. Two items keep one folder: its key, in the accessibility class that says when the
/// kernel may have it, and its description, which a locked vault can read too. So backups and transfers carry both.
struct FolderRecords: Sendable {
    let keychain: Keychain

    private static let descriptions = "latchkey.folder"
    private static let keys = "latchkey.folder-key"
    private static let content = AttributeName.comment

    private static func account(_ item: StoredItem) -> String { item.description.name }

    private func description(_ identifier: String, by requester: Requester) -> ItemReference {
        keychain.password(account: identifier, service: Self.descriptions, by: requester)
    }

    private func key(_ identifier: String, by requester: Requester) -> ItemReference {
        keychain.password(account: identifier, service: Self.keys, by: requester)
    }

    /// Returns the folders, by their paths. It never prompts, and adds no record to the audit log.
    func all(by requester: Requester) throws(KeychainError) -> [EncryptedFolder] {
        let items = try keychain.lookUp(
            ItemQuery(.genericPassword, Attributes([.service: .string(Self.descriptions)])), by: requester)
        return items.compactMap { Self.folder(of: $0) }.sorted { $0.path < $1.path }
    }

    /// Returns a folder; nil if there is none with this identifier.
    func folder(_ identifier: String, by requester: Requester) throws(KeychainError) -> EncryptedFolder? {
        try all(by: requester).first { $0.identifier == identifier }
    }

    private static func folder(of item: StoredItem) -> EncryptedFolder? {
        guard case .string(let text) = item.description.attributes[content],
            var head = try? WireObject(Array(text.utf8)),
            let folder = try? EncryptedFolder(reading: &head), folder.identifier == account(item)
        else { return nil }
        return folder
    }

    /// Returns the name of an item for the audit log: the path of its folder; nil if it belongs to none.
    func name(of item: StoredItem, by requester: Requester) -> String? {
        guard case .string(let service) = item.description.attributes[.service],
            service == Self.descriptions || service == Self.keys
        else { return nil }
        return (try? folder(Self.account(item), by: requester))?.path ?? Self.account(item)
    }

    /// Reads the key of a folder.
    ///
    /// - Throws: `KeychainError` if the vault is locked, or has no such key.
    func readKey(
        of identifier: String, by requester: Requester, in context: KeychainContext? = nil,
        interaction: Interaction = .fail
    ) throws(KeychainError) -> SecureBytes? {
        try keychain.read(key(identifier, by: requester), by: requester, in: context, interaction: interaction)
    }

    /// Stores a folder with its key, in this order: a key without a description does no harm.
    func add(
        _ folder: EncryptedFolder, key: borrowing SecureBytes, by requester: Requester, in context: KeychainContext,
        interaction: Interaction
    ) throws(KeychainError) {
        let item = NewItem.password(
            account: folder.identifier, service: Self.keys, AccessControl(folder.protection.ofKey))
        try keychain.add(item, secret: key, by: requester, in: context, interaction: interaction)
        var description = NewItem.password(
            account: folder.identifier, service: Self.descriptions, AccessControl(.always))
        description.attributes[Self.content] = .string(folder.head.text)
        do throws(KeychainError) {
            try keychain.add(description, by: requester, in: context, interaction: interaction)
        } catch {
            _ = try? keychain.delete(self.key(folder.identifier, by: requester), by: requester)
            throw error
        }
    }

    /// Changes how a folder is kept. The key is first, so a change takes the right to read it.
    func change(
        _ former: EncryptedFolder, to next: EncryptedFolder, by requester: Requester, in context: KeychainContext,
        interaction: Interaction
    ) throws(KeychainError) {
        try keychain.update(
            key(former.identifier, by: requester), ItemChanges(control: AccessControl(next.protection.ofKey)),
            secret: .keep, by: requester, in: context, interaction: interaction)
        var changes = ItemChanges()
        changes.merging[Self.content] = .string(next.head.text)
        try keychain.update(
            description(next.identifier, by: requester), changes, secret: .keep, by: requester, in: context,
            interaction: interaction)
    }

    /// Deletes a folder and its key for good.
    func remove(_ identifier: String, by requester: Requester) throws(KeychainError) {
        for item in [description(identifier, by: requester), key(identifier, by: requester)] {
            do throws(KeychainError) {
                try keychain.delete(item, by: requester)
            } catch {
                guard error.rule == .itemNotFound else { throw error }
            }
        }
    }
}

extension EncryptedFolder.Protection {
    var ofKey: Accessibility {
        switch ofFiles.keyClass {
        case .whenPasscodeSet, .whenUnlocked: .whenUnlocked
        case .afterFirstUnlock: .afterFirstUnlock
        case .always: .always
        }
    }
}
