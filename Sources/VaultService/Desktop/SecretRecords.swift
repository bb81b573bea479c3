internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import SecretVault

/// The records of the Secret Service in a vault. No record holds a secret, and none asks for authentication.
struct SecretRecords: Sendable {
    let keychain: Keychain
    let requester: Requester

    private static let items = "latchkey.secret-service"
    private static let approvals = "latchkey.secret-approval"
    private static let collections = "latchkey.secret-collection"
    private static let content = AttributeName.comment

    /// One stored record, with the time of its last change in seconds since 1970.
    struct Stored<Record> {
        var record: Record
        var modified: Int64
    }

    /// A secret of the vault, as the list shows it.
    struct Named {
        var id: ItemIdentifier
        var name: String
        var control: AccessControl
        var created: Int64
        var modified: Int64
    }

    // MARK: - Reading

    private func list(_ service: String, _ body: (ListedItem) -> Void) throws(KeychainError) {
        var listed: [ListedItem] = []
        _ = try keychain.list(
            ItemQuery(.genericPassword, Attributes([.service: .string(service)])),
            ListedParts(name: .account, comment: Self.content),
            by: requester, isRecorded: false, begin: { listed.removeAll() }, { listed.append($0) })
        for item in listed { body(item) }
    }

    /// Returns the records of items that can be read now. Damaged ones are left out. In a locked vault, none has an approval.
    func allItems() throws(KeychainError) -> [Stored<SecretRecord>] {
        var approvals: [String: SecretApproval] = [:]
        try list(Self.approvals) { item in
            // The keys of the device file make items of other classes.
            guard item.control == Self.approvalControl else { return }
            approvals[item.name] = SecretApproval(object: item.name, text: item.comment)
        }
        var all: [Stored<SecretRecord>] = []
        try list(Self.items) { item in
            guard var record = SecretRecord(object: item.name, text: item.comment) else { return }
            if let approval = approvals[record.object], approval.secret == record.secret, !approval.rule.isEmpty {
                record.approvedRule = approval.rule
            }
            all.append(Stored(record: record, modified: item.modified.sinceUnixEpoch))
        }
        return all
    }

    /// Returns the records of collections that can be read now, the oldest first.
    func allCollections() throws(KeychainError) -> [Stored<CollectionRecord>] {
        var all: [Stored<CollectionRecord>] = []
        try list(Self.collections) { item in
            guard let record = CollectionRecord(object: item.name, text: item.comment) else { return }
            all.append(Stored(record: record, modified: item.modified.sinceUnixEpoch))
        }
        return all.sorted { ($0.record.created, $0.record.object) < ($1.record.created, $1.record.object) }
    }

    /// Returns the secrets of a service whose names can be read now.
    func named(_ service: String) throws(KeychainError) -> [Named] {
        var all: [Named] = []
        try list(service) { item in
            all.append(
                Named(
                    id: item.id, name: item.name, control: item.control, created: item.created.sinceUnixEpoch,
                    modified: item.modified.sinceUnixEpoch))
        }
        return all
    }

    /// Returns the policies of all secrets of a service, also of those whose names are locked.
    func policies(_ service: String) throws(KeychainError) -> [ItemIdentifier: AccessControl] {
        let search = ItemSearch(.genericPassword, [.svce: .string(service)], groups: requester.groups)
        do throws(VaultError) {
            var all: [ItemIdentifier: AccessControl] = [:]
            for item in try keychain.vault.find(search) { all[item.id] = item.control }
            return all
        } catch { throw .vault(error) }
    }

    // MARK: - Writing

    private static let approvalControl = AccessControl(.whenUnlockedThisDeviceOnly)

    /// Stores a record of an item, or another version of it. `isHidden` is true if it is not shown while the vault is locked.
    func store(_ record: SecretRecord, isHidden: Bool, staysHere: Bool) throws(KeychainError) {
        try store(record.object, record.text, in: Self.items, isHidden: isHidden, staysHere: staysHere)
    }

    /// Stores the approval of a rule for an item. The vault has to be unlocked.
    func store(_ approval: SecretApproval) throws(KeychainError) {
        try store(approval.object, approval.text, in: Self.approvals, isHidden: true, staysHere: true)
    }

    /// Stores a record of a collection, or another version of it.
    func store(_ record: CollectionRecord) throws(KeychainError) {
        try store(record.object, record.text, in: Self.collections, isHidden: record.isHidden, staysHere: false)
    }

    private func store(
        _ object: String, _ text: String, in service: String, isHidden: Bool, staysHere: Bool
    ) throws(KeychainError) {
        let shown: Accessibility = isHidden ? .whenUnlocked : .always
        let control = AccessControl(staysHere ? shown.onThisDeviceOnly : shown)
        let item = keychain.password(account: object, service: service, by: requester)
        do throws(KeychainError) {
            var changes = ItemChanges(control: control)
            changes.merging[Self.content] = .string(text)
            try keychain.update(item, changes, by: requester, interaction: .fail)
        } catch {
            guard error.rule == .itemNotFound else { throw error }
            var new = NewItem.password(account: object, service: service, control)
            new.attributes[Self.content] = .string(text)
            try keychain.add(new, by: requester, interaction: .fail)
        }
    }

    /// Deletes the record of an item for good. No record is no error.
    func remove(item object: String) throws(KeychainError) {
        try remove(object, from: Self.items)
    }

    /// Takes back the approval of a rule for an item, if there is one.
    func withdraw(_ record: SecretRecord) throws(KeychainError) {
        try store(SecretApproval(object: record.object, secret: record.secret, rule: ""))
    }

    /// Deletes the record of a collection for good. No record is no error.
    func remove(collection object: String) throws(KeychainError) { try remove(object, from: Self.collections) }

    private func remove(_ object: String, from service: String) throws(KeychainError) {
        do throws(KeychainError) {
            try keychain.delete(
                keychain.password(account: object, service: service, by: requester), by: requester,
                interaction: .fail)
        } catch {
            guard error.rule == .itemNotFound else { throw error }
        }
    }
}
