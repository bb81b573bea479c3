internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Vault {
    /// Passes the name and access policy of each item that matches a search to `body`, for the owner's own list. This
    /// needs only that the item's class is open. The search may name nothing but class, columns and groups.
    ///
    /// This reads every row once and keeps none of them, so it is fast and takes little memory. Locked and damaged items are
    /// counted and left out. Items that are absent for the caller are skipped.
    ///
    /// `body` is called during the vault's operation, so it must not use the vault or its contexts. If a lock takes the keys
    /// away meanwhile, the list begins again; `begin` is called first each time.
    package func list(
        _ search: ItemSearch, _ parts: ListedParts, for caller: Caller, begin: () -> Void, _ body: (ListedItem) -> Void
    ) throws(VaultError) -> ListCount {
        try list(search, parts, deletedWithin: nil, for: caller, begin: begin, body)
    }

    /// Passes each deleted item that can be brought back to `body`, as ``list(_:_:for:begin:_:)`` does with the others.
    package func listDeleted(
        _ search: ItemSearch, _ parts: ListedParts, within limit: HistoryLimit, for caller: Caller, begin: () -> Void,
        _ body: (ListedItem) -> Void
    ) throws(VaultError) -> ListCount {
        try list(search, parts, deletedWithin: limit, for: caller, begin: begin, body)
    }

    private func list(
        _ search: ItemSearch, _ parts: ListedParts, deletedWithin limit: HistoryLimit?, for caller: Caller,
        begin: () -> Void, _ body: (ListedItem) -> Void
    ) throws(VaultError) -> ListCount {
        try run(in: nil) { vault, state in
            precondition(search.isByColumns, "a list compares columns only")
            begin()
            try vault.refresh()
            let store = vault.store
            let groups = search.groupTags(store.fixed.index)
            let conditions = vault.conditions(for: caller)
            let firstDate = limit.map { vault.hour(for: caller).subtractingReportingOverflow($0.age).partialValue }
            var count = ListCount()
            try store.eachRecord(
                search.rows(store.fixed.index, readsAll: true), and: .attributes, in: limit == nil ? .items : .setAside
            ) { record, lease in
                let header = record.header
                if !search.includes(header, groups) || vault.cleared.contains(header) { return }
                if let date = lease.date, let firstDate, date <= firstDate { return }
                let authorization = try vault.authorize(
                    .inventory, record, for: caller, in: state, under: conditions)
                switch authorization.decision {
                case .granted:
                    guard let box = lease.attributes else {
                        count.damaged += 1
                        return
                    }
                    do {
                        body(try vault.seals.listed(record, attributes: box, parts, deleted: lease.date))
                    } catch VaultError.damaged(.item) {
                        count.damaged += 1
                    }
                case .denied(let denial) where denial.rule.isOfLockedClass: count.locked += 1
                case .denied, .challenge:
                    if !vault.isAbsent(authorization.decision) { _ = try authorization.grant(header.id) }
                }
            }
            return count
        }
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
