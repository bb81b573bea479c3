internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Passes each item that matches a search to `body`, if the decision about it grants the owner's own list. Locked and
    /// damaged items are counted and left out. Items that are absent for the caller are skipped.
    ///
    /// With a limit, it passes the deleted items instead that can be brought back within that.
    ///
    /// If a lock takes the keys away meanwhile, it begins again. It calls `begin` first each time.
    mutating func list(
        _ search: ItemSearch, _ parts: ListedParts, deletedWithin limit: HistoryLimit? = nil, for caller: Caller,
        in state: ContextState,
        _ begin: () -> Void, _ body: (ListedItem) -> Void
    ) throws -> ListCount {
        precondition(search.isByColumns, "a list compares columns only")
        begin()
        try refresh()
        let wanted = search.groups.map { groups in groups.map { groupTag($0, store.fixed.index) } }
        let conditions = conditions(for: caller)
        let firstDate = limit.map { hour(for: caller).subtractingReportingOverflow($0.age).partialValue }
        var count = ListCount()
        try store.eachRecord(
            search.rows(store.fixed.index, readsAll: true), and: .attributes, in: limit == nil ? .items : .setAside
        ) { record, lease in
            let header = record.header
            if let wanted, !wanted.contains(header.group) { return }
            if let isSynchronizable = search.isSynchronizable, header.isSynchronizable != isSynchronizable { return }
            if cleared.contains(header) { return }
            if let date = lease.date, let firstDate, date <= firstDate { return }
            let authorization = try authorize(.inventory, record, for: caller, in: state, under: conditions)
            switch authorization.decision {
            case .granted:
                guard let box = lease.attributes else {
                    count.damaged += 1
                    return
                }
                do {
                    body(try seals.listed(record, attributes: box, parts, deleted: lease.date))
                } catch VaultError.damaged(.item) {
                    count.damaged += 1
                }
            case .denied(let denial) where denial.rule.isOfLockedClass: count.locked += 1
            case .denied, .challenge:
                if !isAbsent(authorization.decision) { _ = try authorization.grant(header.id) }
            }
        }
        return count
    }
}

extension Rule {
    /// True if the rule denies because the class of an item is locked.
    fileprivate var isOfLockedClass: Bool { self == .classLocked || self == .classBeforeFirstUnlock }
}

extension ItemSeals {
    /// Returns what a list shows of an item. `box` is its sealed attributes.
    fileprivate func listed(
        _ record: RecordView, attributes box: UnsafeRawBufferPointer, _ parts: ListedParts, deleted: Int64?
    ) throws -> ListedItem {
        let header = record.header
        let opened = try openAttributes(box, of: record)
        return try opened.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                do {
                    let texts = try SealedAttributes.texts(of: parts, in: bytes)
                    return ListedItem(
                        id: header.id, control: header.control, allowsReuse: header.allowsReuse, name: texts.name,
                        comment: texts.comment, created: ItemDate.seconds(header.created),
                        modified: ItemDate.seconds(header.modified), deleted: deleted.map { ItemDate.seconds($0) })
                } catch { throw VaultError.damaged(.item(header.row)) }
            }
        }
    }
}
