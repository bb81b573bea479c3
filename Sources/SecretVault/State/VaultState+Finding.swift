internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Returns the items that match a search, oldest first. Locked items are included.
    mutating func find(_ search: ItemSearch) throws -> [FoundItem] {
        try refresh()
        let wanted = search.groups.map { groups in groups.map { groupTag($0, store.fixed.index) } }
        var found: [(item: FoundItem, created: Int64, version: UInt64)] = []
        try store.eachRecord(search.rows(store.fixed.index)) { record, _ in
            let header = record.header
            if let wanted, !wanted.contains(header.group) { return }
            if let isSynchronizable = search.isSynchronizable, header.isSynchronizable != isSynchronizable { return }
            if cleared.contains(header) { return }
            let meets = try meets(search, record)
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

    /// Returns true if an item matches the parts of a search that have no column; nil if the item is locked, so that
    /// its attributes cannot be compared.
    private func meets(_ search: ItemSearch, _ record: RecordView) throws -> Bool? {
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
