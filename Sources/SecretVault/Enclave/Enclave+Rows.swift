internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// How an item is locked up and gets into its row, and out of it. A transaction is open, and everything has been decided.

extension Enclave {
    /// Locks an item up and writes its row, which its primary key says the number of.
    mutating func put(
        _ item: ItemDescription, _ id: ItemIdentifier, binding: Binding, created: Int64, modified: Int64,
        secret: RawSpan?, in state: ContextState
    ) throws {
        try makeMissingGates()
        let fidelity = device.settings.fidelity
        let keyClass = item.control.protection.keyClass
        let itemKey = try Key.random()
        let count = secret?.byteCount
        let columns = item.columnTags(store.fixed.index)
        let version = ledger.commits + 1
        let key = item.primaryKey.tag(store.fixed.index)
        store.rowExists.bind(1, key.row)
        guard try store.number(store.rowExists) == nil else { throw VaultError.rowTaken }
        let group = groupTag(item.group, store.fixed.index)
        let locked = try lockUp(keyClass) { classKey, contents -> Locked in
            let cabinet = try GateCabinet(bag, contents.keys.gate)
            let header = Header(
                format: .needed(for: item.control, secretCount: count), id: id, version: version,
                itemClass: item.itemClass, control: item.control,
                classKey: classKey.id, binding: binding, isKey: item.isKey, isSynchronizable: item.isSynchronizable,
                hasSecret: count != nil, isSecretApart: (count ?? 0) > SecretSize.inRow, group: group, primaryKey: key,
                created: created, modified: modified)
            var record = header.encoded(columns)
            let core = Array(record[Header.prefix...])
            // An item that asks for nothing has no key of its own: its secret lies under what its class opens.
            for way in item.control.ways(fidelity) where item.control.isProtected {
                let missing = GateName(biometryOf: item.control.guarding, binding)
                if way.contains(.biometry) && !bag.gates.contains(where: { $0.name == missing }) {
                    continue  // a way that an enrolment change has closed stays closed
                }
                let wrap = try state.withPasswordToStore(id.evidenceID, in: contents) { password in
                    try Wrap.seal(
                        itemKey, for: way, of: header, core: core.span.bytes, under: classKey, cabinet,
                        password: password)
                }
                record.appendWrap(for: way, wrap)
            }
            let tag = record.sealHead(store.fixed.header)
            let identity = Array(record[Header.identityRange])
            let sealed = SealedAttributes(attributes: item.attributes, group: item.group).encoded
            let attributes = Box.seal(sealed.span.bytes, under: classKey.attributes, context: identity.span.bytes)
            // The secret may be large: seal it after giving back the ring.
            return item.control.isProtected
                ? Locked(record: record, tag: tag, attributes: attributes, key: try itemKey.copy(), context: identity)
                : Locked(
                    record: record, tag: tag, attributes: attributes, key: try classKey.plainWay.copy(), context: core)
        }
        var made = (record: locked.record, tag: locked.tag, attributes: locked.attributes)
        let box = locked.sealing(secret)
        if box.count - Box.overhead > SecretSize.inRow {
            store.writeSecret.bind(1, key.row)
            store.writeSecret.bind(2, box)
            try store.writeSecret.run()
        } else {
            made.record += box
        }
        let insert = store.insert
        insert.bind(1, key.row)
        insert.bind(2, Int64(item.itemClass.number))
        insert.bind(3, id.bytes)
        insert.bind(4, made.record)
        insert.bind(5, made.attributes)
        for (column, tag) in columns {
            let place = IndexColumn.places[column] ?? 0
            tag.withBytes { insert.bind(place, $0) }
        }
        try insert.run()
        ledger.items.add(
            try ItemSums.Entry(
                row: key.row, version: version, header: made.tag, secret: box.span.bytes,
                attributes: made.attributes.span.bytes, store.fixed.sum))
    }

    /// Runs `body` with the key of a class.
    private func lockUp<Result: ~Copyable>(
        _ keyClass: KeyClass, _ body: (borrowing OpenClassKey, borrowing KeyRing.Contents) throws -> Result
    ) throws -> Result {
        let made: Result? = try ring.read { contents in
            try contents.keys.with(keyClass) { try body($0, contents) }
        }
        guard let made = consume made else { throw missing(.damaged(.keybag)) }
        return made
    }

    /// An item that is locked up but for its secret, and what that is locked up under.
    private struct Locked: ~Copyable {
        let record: [UInt8]
        let tag: Tag
        let attributes: [UInt8]
        let key: Key
        let context: [UInt8]

        /// The secret, sealed. An item without one has an empty box: its header says which of the two it is.
        consuming func sealing(_ secret: RawSpan?) -> [UInt8] {
            guard let secret else { return Box.seal(RawSpan(), under: key, context: context.span.bytes) }
            return Box.seal(secret, under: key, context: context.span.bytes)
        }
    }

    /// What is bound to a set whose gate was begun without the gate key waits for nobody else to make it.
    private mutating func makeMissingGates() throws {
        guard let newBag = try bagWithMissingGates() else { return }
        try commit(newBag, device, destroying: false)
    }

    /// Takes a row out, and out of the ledger. A transaction is open.
    mutating func takeOut(_ row: Int64) throws {
        guard let entry = try ledgerEntry(of: row) else { return }
        ledger.items.remove(entry)
        for statement in [store.delete, store.deleteSecret] {
            statement.bind(1, row)
            try statement.run()
        }
    }

    private mutating func ledgerEntry(of row: Int64) throws -> ItemSums.Entry? {
        store.rowToRemove.bind(1, row)
        defer { store.rowToRemove.reset() }
        guard try store.rowToRemove.step() else { return nil }
        guard let bytes = store.rowToRemove.bytes(1) else { throw VaultError.damaged(.item(row)) }
        return try ledgerEntry(of: try RecordView(bytes, row: row, store.fixed.header))
    }

    /// What a row adds to the ledger.
    func ledgerEntry(of record: RecordView) throws -> ItemSums.Entry {
        let row = record.header.row
        let entry: ItemSums.Entry?? = try withSealedAttributes(row) { attributes in
            if !record.header.isSecretApart {
                return try ItemSums.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: record.secret.bytes,
                    attributes: attributes.bytes, store.fixed.sum)
            }
            store.readSecret.bind(1, row)
            return try store.withBytes(store.readSecret) { secret in
                try ItemSums.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: secret.bytes,
                    attributes: attributes.bytes, store.fixed.sum)
            }
        }
        guard case .some(.some(let entry)) = entry else { throw VaultError.damaged(.item(row)) }
        return entry
    }

    private func withSealedAttributes<Result>(
        _ row: Int64, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        store.readAttributes.bind(1, row)
        return try store.withBytes(store.readAttributes, body)
    }

    mutating func deleteEverything() throws {
        try store.deleteAll.run()
        try store.deleteAllSecrets.run()
        ledger.items = ItemSums()
    }
}

extension IndexColumn {
    /// Where the columns stand among the values of an insertion.
    fileprivate static let places = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($0.element, Int32($0.offset) + 6) })
}

extension ItemDescription {
    /// What stands in the columns by which it is found.
    fileprivate func columnTags(_ indexKey: borrowing Key) -> [(IndexColumn, Tag)] {
        var tags: [(IndexColumn, Tag)] = []
        for (name, value) in attributes.values {
            if let column = IndexColumn(name: name) { tags.append((column, column.tag(value, indexKey))) }
        }
        return tags.sorted { $0.0.rawValue < $1.0.rawValue }
    }
}
