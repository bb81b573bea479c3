internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import SecretService
internal import SecretVault
internal import SodiumKit
internal import Synchronization

// Reading what the service shows, and repairing the records of secrets that the command has renamed, deleted or restored.

extension DesktopStore {
    /// Reads the records. Call this only while no record changes.
    func loaded() throws(KeychainError) -> Shelves {
        // A lock in between leaves out names. Another reload follows it.
        let isUnlocked = keychain.isUnlocked
        let stored = try shelves()
        // A secret is stored before its record. In this order no record is read without its secret.
        let allItems = try records.allItems()
        let policies = try records.policies(VaultService.serviceOfSecrets)
        let named = try records.named(VaultService.serviceOfSecrets)
        let isComplete = isUnlocked && keychain.isUnlocked
        var byID: [ItemIdentifier: SecretRecords.Named] = [:]
        for secret in named { byID[secret.id] = secret }
        var index = Shelves(stored, names: Set(named.map(\.name)), isComplete: isComplete)
        let shelves = index.shelves
        var recorded: Set<ItemIdentifier> = []
        var homeless: [SecretRecords.Stored<SecretRecord>] = []
        for stored in allItems {
            guard let id = stored.record.secretID, let control = policies[id] else {
                homeless.append(stored)
                continue
            }
            recorded.insert(id)
            insert(stored, id, control, byID[id], into: &index)
        }
        if isComplete {
            for stored in homeless { rehome(stored, named, &recorded, into: &index) }
        }
        for secret in named where !recorded.contains(secret.id) {
            guard let shelf = Self.shelf(of: secret.name, in: shelves) else { continue }
            let record = SecretRecord(
                object: "s" + Hexadecimal.text(secret.id.bytes), secret: Hexadecimal.text(secret.id.bytes),
                name: secret.name, label: String(secret.name.dropFirst(shelf.record.folder.count + 1)),
                attributes: [Self.nameAttribute: secret.name], contentType: "text/plain", created: secret.created)
            index.insert(
                Shelves.Entry(
                    record: record, collection: shelf.id, secret: secret.id, control: secret.control,
                    modified: secret.modified, isStored: false))
        }
        return index
    }

    /// Returns the collection of the longest folder that a name lies in.
    static func shelf(of name: String, in shelves: [Shelves.Shelf]) -> Shelves.Shelf? {
        shelves.filter { $0.record.contains(name) }.max { $0.record.folder.utf8.count < $1.record.folder.utf8.count }
    }

    private func shelves() throws(KeychainError) -> [Shelves.Shelf] {
        try records.allCollections().compactMap { stored in
            CollectionID(stored.record.object).map {
                Shelves.Shelf(record: stored.record, id: $0, modified: stored.modified, isStored: true)
            }
        }
    }

    private func insert(
        _ stored: SecretRecords.Stored<SecretRecord>, _ id: ItemIdentifier, _ control: AccessControl,
        _ named: SecretRecords.Named?, into index: inout Shelves
    ) {
        var record = stored.record
        let name = named?.name ?? record.name
        // A secret that was moved out of every collection keeps its record, and is not shown.
        guard let shelf = Self.shelf(of: name, in: index.shelves) else { return }
        if name != record.name {
            var isStored = true
            if record.attributes[Self.nameAttribute] == record.name {
                record.attributes[Self.nameAttribute] = name
                // A locked vault does not say if there is an approval. Until it is withdrawn, the record keeps its former name.
                if record.approvedRule != nil || !index.isComplete {
                    isStored = (try? records.withdraw(record)) != nil
                }
                record.approvedRule = nil
            }
            record.name = name
            if isStored {
                try? records.store(
                    record, isHidden: shelf.record.isHidden, staysHere: control.protection.isThisDeviceOnly)
            }
        }
        index.insert(
            Shelves.Entry(
                record: record, collection: shelf.id, secret: id, control: control,
                modified: max(record.modified ?? stored.modified, named?.modified ?? 0), isStored: true))
    }

    /// The attribute of a secret that the command has stored.
    private static let nameAttribute = "latchkey:name"

    /// Gives the record of a secret that is gone to the one that has its name now, as after a restored backup. Without one, the
    /// record goes the next time, unless the deletion can still be undone.
    private func rehome(
        _ stored: SecretRecords.Stored<SecretRecord>, _ named: [SecretRecords.Named],
        _ recorded: inout Set<ItemIdentifier>, into index: inout Shelves
    ) {
        var record = stored.record
        if let heir = named.first(where: { $0.name == record.name && !recorded.contains($0.id) }) {
            homeless.withLock { _ = $0.remove(record.object) }
            record.secret = Hexadecimal.text(heir.id.bytes)
            // The user has opened another secret under the rule.
            record.approvedRule = nil
            recorded.insert(heir.id)
            let isHidden = Self.shelf(of: heir.name, in: index.shelves)?.record.isHidden ?? false
            try? records.store(record, isHidden: isHidden, staysHere: heir.control.protection.isThisDeviceOnly)
            insert(.init(record: record, modified: stored.modified), heir.id, heir.control, heir, into: &index)
        } else {
            let key = keychain.primaryKey(
                account: record.name, service: VaultService.serviceOfSecrets, by: records.requester)
            let limit = service.settings.historyLimit
            let isBack = try? keychain.wasDeleted(key, within: limit, by: records.requester)
            // If that cannot be known now, the record stays. It also stays the first time, because a restored backup or a
            // change of two steps may store the secret again.
            guard isBack == false else { return }
            let wasHomeless = homeless.withLock { !$0.insert(record.object).inserted }
            if wasHomeless { try? records.remove(item: record.object) }
        }
    }
}

extension SecretRecord {
    /// The identifier of the secret; nil if the record is damaged.
    var secretID: ItemIdentifier? { Hexadecimal.bytes(secret).flatMap { ItemIdentifier(bytes: $0) } }
}
