internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Vault {
    /// Returns the items that match a search, in the order in which they were stored. It reveals only identifier, class
    /// and access policy; request the rest item by item.
    public func find(_ search: ItemSearch) throws(VaultError) -> [FoundItem] {
        try run { vault in
            try vault.refresh()
            let store = vault.store
            let groups = search.groupTags(store.fixed.index)
            var found: [(item: FoundItem, created: Int64, version: UInt64)] = []
            try store.eachRecord(search.rows(store.fixed.index)) { record, _ in
                let header = record.header
                if !search.includes(header, groups) || vault.cleared.contains(header) { return }
                let meets = try vault.meets(search, record)
                if meets == false { return }
                let item = FoundItem(
                    id: header.id, itemClass: header.itemClass, control: header.control, isCertain: meets != nil)
                found.append((item, header.created, header.version))
            }
            // Rows are ordered by keyed hashes, differently in every vault. The result has a fixed order: by the time of
            // storing, and at equal times by the order of writing.
            if found.count > 1 { found.sort { ($0.created, $0.version) < ($1.created, $1.version) } }
            return found.map(\.item)
        }
    }

    /// Returns the item with this identifier; nil if there is none.
    public func find(_ id: ItemIdentifier) throws(VaultError) -> FoundItem? {
        try run { vault in
            try vault.withRecord(.id(id)) { _, record in
                FoundItem(
                    id: id, itemClass: record.header.itemClass, control: record.header.control, isCertain: true)
            }
        }
    }

    /// Returns the identifier of the item that the record of an addition is about: the one that is stored under the primary
    /// key with this tag, or set aside. Returns nil if there is none.
    package func identifier(underTag bytes: [UInt8]) throws(VaultError) -> ItemIdentifier? {
        guard bytes.count == Tag.count else { return nil }
        let tag = Tag(bytes.span.bytes)
        return try run { vault in
            try vault.refresh()
            let present = try vault.withRow(tag.row) { (_, record) -> ItemIdentifier? in
                record.header.primaryKey.equals(tag) ? record.header.id : nil
            }
            if let present { return present }
            let store = vault.store
            guard let lease = try store.items.find(.row(tag.row), .record, in: .setAside) else { return nil }
            let record = try store.record(of: lease)
            return record.header.primaryKey.equals(tag) ? record.header.id : nil
        }
    }

    /// Returns the mark of the items, which changes whenever any program stores, changes or deletes one.
    package func itemsMark() throws(VaultError) -> ItemsMark {
        try run { vault in
            try vault.refresh()
            try vault.takeInLedger()
            return ItemsMark(items: vault.ledger.items, removed: vault.ledger.removed)
        }
    }
}

extension VaultState {
    /// Returns true if an item matches the parts of a search that have no column; nil if the item is locked, so that
    /// its attributes cannot be compared.
    fileprivate func meets(_ search: ItemSearch, _ record: RecordView) throws -> Bool? {
        let header = record.header
        if let protection = search.protection, header.control.protection != protection { return false }
        if let created = search.created, ItemDate.seconds(header.created) != created { return false }
        if let modified = search.modified, ItemDate.seconds(header.modified) != modified { return false }
        if search.others.isEmpty { return true }
        // The key of this item's class was destroyed. The open class of that name has another key.
        if invalidation(of: header.item(in: .first), under: device.conditions()) == .classDestroyed { return false }
        if !device.openClasses.contains(header.control.protection.keyClass) { return nil }
        let sealed = try seals.attributes(of: record)
        return search.others.allSatisfy { name, value in sealed.attributes[name]?.isSame(as: value) == true }
    }
}
