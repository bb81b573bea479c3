internal import AccessPolicy
internal import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LinuxSystem
package import SecretService
internal import SecretTools
internal import SecretVault
package import SodiumKit

// Storing, changing and deleting what programs of the desktop keep.

extension DesktopStore {
    // MARK: - Items

    /// Stores an item, or replaces the one of the collection that has exactly its attributes.
    package func create(
        _ item: consuming NewSecretItem, in collection: CollectionID, replaces: Bool, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault) -> ShelfItemID {
        let (label, attributes, type) = (item.label, item.attributes, item.contentType)
        let item = consume item
        return try self.asking(caller, asking) { (call) throws(SecretFault) in
            try unlockVault(call)
            // One program after the other, so that two never store the same item.
            return try changeRecords { () throws(SecretFault) in
                // A caller whose time is over tries again, and must not store twice.
                try call.asking.check()
                guard let shelf = withIndex({ $0.shelf(collection) }) else { throw .noSuchObject }
                if replaces {
                    let same = withIndex { index in
                        index.search(attributes, in: collection).first { $0.record.attributes == attributes }
                    }
                    if let same, let id = same.id {
                        try replace(id, by: item.secret, type, label: label, call)
                        return id
                    }
                }
                return try store(item.secret, label, attributes, type, in: try kept(shelf), call)
            }
        }
    }

    /// Stores an item under a name that is free. Call this only while no other record changes.
    private func store(
        _ secret: borrowing SecureBytes, _ label: String, _ attributes: [String: String], _ type: String,
        in shelf: Shelves.Shelf, _ call: DesktopCall
    ) throws(SecretFault) -> ShelfItemID {
        let settings = service.settings
        let policy = settings.secretRules.policy(for: attributes, usual: settings.policy)
        // No prompt may come while other programs wait for the records.
        if policy.flags.contains(.applicationPassword) {
            throw .failed(
                "the default policy asks for an application password, which no program of the desktop gives: "
                    + "set another with `latchkey config --default-policy`")
        }
        // The command may take the name in between.
        for _ in 0..<8 {
            let name = freeName(for: label, in: shelf.record.folder)
            do throws(KeychainError) {
                return try add(secret, name, policy, label, attributes, type, shelf, call)
            } catch {
                guard error.rule == .itemDuplicate else { throw fault(error, call) }
                withIndexNoting(name)
            }
        }
        throw .failed("no name is free for this item in \(shelf.record.folder): delete some that you do not need")
    }

    private func withIndexNoting(_ name: String) { withIndex { $0.note(name) } }

    private func add(
        _ secret: borrowing SecureBytes, _ name: String, _ policy: ItemPolicy, _ label: String,
        _ attributes: [String: String], _ type: String, _ shelf: Shelves.Shelf, _ call: DesktopCall
    ) throws(KeychainError) -> ShelfItemID {
        let control: AccessControl
        do throws(AgentError) { control = try policy.control() } catch { throw .request(.noClass) }
        let id = try keychain.add(
            NewItem.password(account: name, service: VaultService.serviceOfSecrets, control), secret: secret,
            by: call.requester,
            in: call.context, interaction: .fail)
        let record = SecretRecord(
            object: "r" + Hexadecimal.text(Sodium.randomBytes(16)), secret: Hexadecimal.text(id.bytes), name: name,
            label: label, attributes: attributes, contentType: type, created: Self.now)
        do throws(KeychainError) {
            try records.store(
                record, isHidden: shelf.record.isHidden, staysHere: control.protection.isThisDeviceOnly)
        } catch {
            // A secret that no program can find would stay for good.
            _ = try? keychain.delete(.id(id), by: call.requester, interaction: .fail)
            throw error
        }
        let entry = Shelves.Entry(
            record: record, collection: shelf.id, secret: id, control: control, modified: Self.now, isStored: true)
        withIndex { $0.insert(entry) }
        guard let place = entry.id else { throw .request(.noClass) }
        log.note(
            call.program, name, .stored, service.settings.secretRules.rule(for: attributes))
        tell(.itemCreated(place))
        tell(.collectionChanged(shelf.id))
        return place
    }

    /// Gives an item another secret.
    package func setSecret(
        _ secret: consuming SecureBytes, contentType: String, of item: ShelfItemID, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault) {
        let secret = consume secret
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            try unlockVault(call)
            try changeRecords { () throws(SecretFault) in
                try call.asking.check()
                guard let label = withIndex({ $0.entry(item)?.record.label }) else { throw .noSuchObject }
                try replace(item, by: secret, contentType, label: label, call)
            }
        }
    }

    /// Replaces the secret of an item. Call this only while no other record changes.
    ///
    /// It keeps the former one as a version, if the policy allows that without a prompt. Otherwise it deletes the former item,
    /// which can be undone, and stores a new one in the same transaction: neither tells anything of the former secret, so neither
    /// asks.
    private func replace(
        _ id: ShelfItemID, by secret: borrowing SecureBytes, _ type: String, label: String,
        _ call: DesktopCall
    ) throws(SecretFault) {
        guard var entry = withIndex({ $0.entry(id) }) else { throw .noSuchObject }
        if entry.control.needsApplicationPassword {
            throw .failed("\(entry.record.name) has an application password: replace it with `latchkey set`")
        }
        let limit = service.settings.historyLimit
        do throws(KeychainError) {
            // The command may have given it another policy.
            let stored = try keychain.lookUp(.id(entry.secret), by: call.requester).description
            entry.control = stored.control
            if entry.control.isProtected {
                var new = NewItem.password(
                    account: entry.record.name, service: VaultService.serviceOfSecrets, entry.control)
                new.allowsReuse = stored.allowsReuse
                if let comment = stored.attributes[.comment] { new.attributes[.comment] = comment }
                entry.secret = try keychain.exchange(
                    [.id(entry.secret)], for: new, secret: secret, keeping: limit, by: call.requester,
                    in: call.context, interaction: .fail)
            } else {
                let copy: SecureBytes
                do throws(SodiumError) { copy = try secret.copy() } catch { throw .vault(.memory(error)) }
                try keychain.update(
                    .id(entry.secret), secret: .edit(.value(copy, keeping: limit)), by: call.requester,
                    in: call.context, interaction: .fail)
            }
            let isAnother = entry.record.secret != Hexadecimal.text(entry.secret.bytes)
            entry.record.secret = Hexadecimal.text(entry.secret.bytes)
            (entry.record.contentType, entry.record.label) = (type, label)
            try keep(entry)
            // The approval names the secret, and this one has taken its place.
            if isAnother, let rule = entry.record.approvedRule {
                try records.store(
                    SecretApproval(object: entry.record.object, secret: entry.record.secret, rule: rule))
            }
        } catch { throw fault(error, call) }
        endGrants(of: [id])
        log.note(call.program, entry.record.name, .stored, rule(for: entry))
        tell(.itemChanged(id))
    }

    /// Stores the record of an item, and shows it. Call this only while no other record changes.
    private func keep(_ entry: Shelves.Entry, isChange: Bool = true) throws(KeychainError) {
        var entry = entry
        if isChange { entry.modified = Self.now }
        (entry.record.modified, entry.isStored) = (entry.modified, true)
        let isHidden = withIndex { $0.shelf(entry.collection)?.record.isHidden } ?? false
        try records.store(entry.record, isHidden: isHidden, staysHere: entry.control.protection.isThisDeviceOnly)
        withIndex { $0.insert(entry) }
    }

    /// Gives an item other attributes, or another label, without a prompt. A rule that opened it once per session opens it again
    /// only after the user has approved that with the new attributes.
    package func change(
        _ item: ShelfItemID, attributes: [String: String]?, label: String?, for caller: SecretCaller
    ) throws(SecretFault) {
        try requireUnlocked()
        try changeRecords { () throws(SecretFault) in
            guard var entry = withIndex({ $0.entry(item) }) else { throw .noSuchObject }
            let wasApproved = entry.record.approvedRule != nil
            if let attributes {
                entry.record.attributes = attributes
                entry.record.approvedRule = nil
            }
            if let label { entry.record.label = label }
            do throws(KeychainError) {
                if wasApproved, attributes != nil { try records.withdraw(entry.record) }
                try keep(entry)
            } catch { throw .failed("\(error)") }
        }
        tell(.itemChanged(item))
    }

    /// Notes that the user has opened an item under a rule that says once per session. Returns false if that cannot be kept.
    func approve(_ item: ShelfItemID, under rule: SecretRules.Rule) -> Bool {
        do throws(KeychainError) {
            return try changeRecords { () throws(KeychainError) in
                // Another program may have changed the attributes while the user answered.
                guard var entry = withIndex({ $0.entry(item) }), self.rule(for: entry) == rule else { return false }
                if entry.record.approvedRule == rule.text { return true }
                entry.record.approvedRule = rule.text
                try keep(entry, isChange: false)
                try records.store(
                    SecretApproval(object: entry.record.object, secret: entry.record.secret, rule: rule.text))
                return true
            }
        } catch { return false }
    }

    /// Deletes an item. It can be undone as `latchkey rm` can.
    package func delete(_ item: ShelfItemID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault) {
        guard let entry = withIndex({ $0.entry(item) }) else { throw .noSuchObject }
        try self.asking(caller, asking) { (call) throws(SecretFault) in
            try changeRecords { () throws(SecretFault) in
                try asking.check()
                do throws(KeychainError) { try remove(entry, call) } catch {
                    guard error.rule == .itemNotFound else { throw .failed("\(error)") }
                    noteChange()
                    throw .noSuchObject
                }
                withIndex { $0.remove(item) }
            }
        }
        endGrants(of: [item])
        tell(.itemDeleted(item))
        tell(.collectionChanged(item.collection))
    }

    private func remove(_ entry: Shelves.Entry, _ call: DesktopCall) throws(KeychainError) {
        let limit = service.settings.historyLimit
        try keychain.delete(.id(entry.secret), keeping: limit, by: call.requester, in: nil, interaction: .fail)
        // With the record, undoing the deletion brings the attributes back too.
        if limit.age == 0 { try? records.remove(item: entry.record.object) }
        log.note(call.program, entry.record.name, .deleted, rule(for: entry))
    }

    // MARK: - Collections

    /// Makes a folder of the vault a collection.
    package func createCollection(
        _ label: String, alias: String, for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> CollectionID {
        if !alias.isEmpty, let known = aliases[alias] { return known }
        return try self.asking(caller, asking) { (call) throws(SecretFault) in
            try unlockVault(call)
            return try changeRecords { () throws(SecretFault) in
                try call.asking.check()
                if !alias.isEmpty, let known = aliases[alias] { return known }
                let folder = freeFolder(for: label)
                return try show(folder, label: label, alias: alias.isEmpty ? [] : [alias], isHidden: false)
            }
        }
    }

    /// Makes a folder a collection, or changes whether it is hidden.
    @discardableResult
    package func share(_ folder: String, isHidden: Bool) throws(SecretFault) -> CollectionID {
        try requireUnlocked()
        let id = try changeRecords { () throws(SecretFault) in try show(folder, isHidden: isHidden) }
        noteChange()
        return id
    }

    /// Does the work of ``share(_:isHidden:)``. Call this only while no other record changes.
    @discardableResult
    private func show(
        _ folder: String, label: String? = nil, alias: [String] = [], isHidden: Bool
    ) throws(SecretFault) -> CollectionID {
        let known = withIndex { index in index.shelves.first { $0.record.folder == folder } }
        guard let id = known?.id ?? freeID(for: folder) else {
            throw .failed("no name on the bus is free for \(folder)")
        }
        var record =
            known?.record
            ?? CollectionRecord(object: id.name, folder: folder, label: label ?? folder, created: Self.now)
        if record.created == 0 { record.created = Self.now }
        record.isHidden = isHidden
        record.aliases += alias.filter { !record.aliases.contains($0) }
        do throws(KeychainError) {
            // The items first: if this ends in between, the collection does not claim to be hidden, and a second try repairs it.
            if isHidden { try hideItems(of: record, true) }
            try records.store(record)
            if !isHidden { try hideItems(of: record, false) }
        } catch { throw .failed("\(error)") }
        withIndex { $0.insert(Shelves.Shelf(record: record, id: id, modified: Self.now, isStored: true)) }
        tell(known == nil ? .collectionCreated(id) : .collectionChanged(id))
        return id
    }

    /// Stores the records of a folder so that they can or cannot be read while the vault is locked, also those of deleted items.
    private func hideItems(of collection: CollectionRecord, _ isHidden: Bool) throws(KeychainError) {
        let policies = try records.policies(VaultService.serviceOfSecrets)
        for stored in try records.allItems() where collection.contains(stored.record.name) {
            // If the secret is gone, its policy is not known. Then the record stays on this device.
            let control = stored.record.secretID.flatMap { policies[$0] }
            try records.store(
                stored.record, isHidden: isHidden, staysHere: control?.protection.isThisDeviceOnly ?? true)
        }
    }

    /// Ends showing a folder. Its secrets stay in the vault.
    package func unshare(_ folder: String) throws(SecretFault) {
        try requireUnlocked()
        let id = try changeRecords { () throws(SecretFault) in
            guard let shelf = withIndex({ index in index.shelves.first { $0.record.folder == folder } }), shelf.isStored
            else { throw .noSuchObject }
            do throws(KeychainError) { try records.remove(collection: shelf.record.object) } catch {
                throw .failed("\(error)")
            }
            withIndex { $0.remove(shelf.id) }
            return shelf.id
        }
        tell(.collectionDeleted(id))
        noteChange()
    }

    /// Deletes a collection and the secrets in it. The deletion of each secret can be undone.
    package func delete(
        _ collection: CollectionID, for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) {
        guard let shelf = withIndex({ $0.shelf(collection) }) else { throw .noSuchObject }
        // While the vault is locked, secrets of the folder may not be shown.
        try self.asking(caller, asking) { (call) throws(SecretFault) in try unlockVault(call) }
        for entry in withIndex({ $0.items(in: collection) }) {
            guard let id = entry.id else { continue }
            try asking.check()
            do throws(SecretFault) { try delete(id, for: caller, asking) } catch {
                if error != .noSuchObject { throw error }
            }
        }
        if shelf.isStored { try unshare(shelf.record.folder) }
    }

    /// Gives an alias to a collection, and takes it away from all others.
    package func setAlias(_ alias: String, to collection: CollectionID?) throws(SecretFault) {
        try requireUnlocked()
        try changeRecords { () throws(SecretFault) in
            if let collection, withIndex({ $0.shelf(collection) }) == nil { throw .noSuchObject }
            for var shelf in withIndex({ $0.shelves }) {
                let has = shelf.record.aliases.contains(alias)
                guard has != (shelf.id == collection) else { continue }
                if has {
                    shelf.record.aliases.removeAll { $0 == alias }
                } else {
                    shelf.record.aliases.append(alias)
                }
                try keep(&shelf)
            }
        }
        noteChange()
    }

    /// Renames a collection on the bus. Its folder keeps its name.
    package func setLabel(
        _ label: String, of collection: CollectionID, for caller: SecretCaller
    ) throws(SecretFault) {
        try requireUnlocked()
        try changeRecords { () throws(SecretFault) in
            guard var shelf = withIndex({ $0.shelf(collection) }) else { throw .noSuchObject }
            shelf.record.label = label
            try keep(&shelf)
        }
        tell(.collectionChanged(collection))
    }

    /// Returns a collection whose record is stored. Call this only while no other record changes.
    private func kept(_ shelf: Shelves.Shelf) throws(SecretFault) -> Shelves.Shelf {
        if shelf.isStored { return shelf }
        var shelf = shelf
        try keep(&shelf)
        tell(.collectionChanged(shelf.id))
        return shelf
    }

    /// Stores the record of a collection, and shows it. Call this only while no other record changes.
    private func keep(_ shelf: inout Shelves.Shelf) throws(SecretFault) {
        if shelf.record.created == 0 { shelf.record.created = Self.now }
        (shelf.isStored, shelf.modified) = (true, Self.now)
        do throws(KeychainError) { try records.store(shelf.record) } catch { throw .failed("\(error)") }
        withIndex { [shelf] in $0.insert(shelf) }
    }

    // MARK: - Names

    /// Returns a name that no secret has, made from the label of an item.
    private func freeName(for label: String, in folder: String) -> String {
        withIndex { index in NameMaker.free(folder: folder, title: label) { index.names.contains($0) } }
    }

    private func freeFolder(for label: String) -> String {
        withIndex { index in
            NameMaker.free(title: label) { name in
                index.shelves.contains { $0.record.folder == name }
                    || index.names.contains { $0.utf8.starts(with: (name + "/").utf8) }
            }
        }
    }

    /// Returns an identifier that no collection has, made from the name of a folder.
    private func freeID(for folder: String) -> CollectionID? {
        let clean = String(
            folder.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    ? Character(scalar) : "_"
            }.prefix(64))
        // The default collection gets its identifier without a record.
        let start = clean.isEmpty || clean == Shelves.usualFolder ? "c_" + clean : clean
        for number in 1..<1000 {
            guard let id = CollectionID(number == 1 ? start : "\(start)_\(number)") else { return nil }
            if withIndex({ $0.shelf(id) }) == nil { return id }
        }
        return nil
    }

    /// The seconds since 1970.
    static var now: Int64 { SystemClock.since1970.seconds }
}
