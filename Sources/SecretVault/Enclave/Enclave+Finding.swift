internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Returns the items that fit a search, the first stored first. Locked items are among them.
    mutating func find(_ search: ItemSearch) throws -> [FoundItem] {
        try refresh()
        let wanted = search.groups.map { groups in groups.map { groupTag($0, store.fixed.index) } }
        var found: [(item: FoundItem, created: Int64, version: UInt64)] = []
        try store.eachRecord(matching: search) { record in
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
        // The rows lie by keyed hashes, in another order in every vault. The answer has one order: by the moment of storing,
        // and within a moment by the order of writing.
        if found.count > 1 { found.sort { ($0.created, $0.version) < ($1.created, $1.version) } }
        return found.map(\.item)
    }

    /// Returns true if an item fits a search in what no column says; nil if it is locked, so that its attributes cannot be compared.
    private func meets(_ search: ItemSearch, _ record: RecordView) throws -> Bool? {
        let header = record.header
        if let protection = search.protection, header.control.protection != protection { return false }
        if let created = search.created, ItemDate.seconds(header.created) != created { return false }
        if let modified = search.modified, ItemDate.seconds(header.modified) != modified { return false }
        if search.others.isEmpty { return true }
        // What went with its class is not there, and another class has its name now.
        if invalidation(of: header.item(in: .first), under: device.conditions()) == .classDestroyed { return false }
        if !device.openClasses.contains(header.control.protection.keyClass) { return nil }
        let sealed = try seals.attributes(of: record)
        return search.others.allSatisfy { name, value in sealed.attributes[name]?.isSame(as: value) == true }
    }
}
