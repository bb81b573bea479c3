internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import SodiumKit

extension Enclave {
    /// Stores a new item.
    mutating func add(
        _ item: ItemDescription, secret: borrowing SecureBytes?, for caller: Caller, in state: ContextState
    ) throws -> Answer<ItemIdentifier> {
        try requireSize(of: item.attributes, secret)
        try refresh()
        let decision = try settleStoring(item, for: caller, in: state)
        guard decision.isGranted else { return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound)) }
        if let inTheWay = try judgeInTheWay(of: item.primaryKey, for: caller, in: state) {
            return Answer(refusing: inTheWay) ?? .denied(Denial(.itemDuplicate))
        }
        return try transaction { enclave in
            // The device may have changed since: who was granted then has to be granted now.
            let decision = try enclave.settleStoring(item, for: caller, in: state)
            guard decision.isGranted else {
                return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound))
            }
            // And so may the item in the way: what is alive there by now is a duplicate.
            guard let id = try enclave.putAnew(item, secret: secret, for: caller, in: state) else {
                return .denied(Denial(.itemDuplicate))
            }
            return .granted(id)
        }
    }

    /// Stores many new items, or none of them.
    mutating func addAll(
        _ items: some Sequence<ItemDescription>, for caller: Caller, in state: ContextState,
        secret: (_ place: Int) throws -> SecureBytes?
    ) throws -> Answer<[ItemIdentifier]> {
        // What is on record so far stays there, also when the items do not.
        if !audit.isEmpty { try transaction { _ in } }
        do {
            return .granted(
                try store.connection.withoutSpilling {
                    try transaction { enclave in
                        var stored: [ItemIdentifier] = []
                        for (place, item) in items.enumerated() {
                            stored.append(
                                try enclave.storeOneOfMany(item, secret: try secret(place), for: caller, in: state))
                        }
                        return stored
                    }
                })
        } catch let refused as RefusedToStore {
            return Answer(refusing: refused.decision) ?? .denied(Denial(.itemDuplicate))
        }
    }

    /// One of the items was refused, and so all are.
    private struct RefusedToStore: Error {
        let decision: Decision
    }

    private mutating func storeOneOfMany(
        _ item: ItemDescription, secret: consuming SecureBytes?, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        if audit.isNearlyFull {
            try flushAudit()
            audit.clear()
        }
        try requireSize(of: item.attributes, secret)
        let decision = try settleStoring(item, for: caller, in: state)
        guard decision.isGranted else { throw RefusedToStore(decision: decision) }
        if let inTheWay = try judgeInTheWay(of: item.primaryKey, for: caller, in: state) {
            throw RefusedToStore(decision: inTheWay)
        }
        guard let id = try putAnew(item, secret: secret, for: caller, in: state) else {
            throw RefusedToStore(decision: .denied(Denial(.itemDuplicate)))
        }
        return id
    }

    /// Puts a new item in, and takes out a lost one that is in the way; nil when that one is alive. A transaction is open.
    private mutating func putAnew(
        _ item: ItemDescription, secret: borrowing SecureBytes?, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier? {
        if let row = try lostRow(under: item.primaryKey) {
            guard row.isLost else { return nil }
            try takeOut(row.number)
        }
        let now = caller.milliseconds
        let id = try newIdentifier()
        try put(
            item, id, binding: device.conditions().binding, created: now, modified: now, secret: secret,
            password: state.password)
        return id
    }

    /// Changes an item: what is nil stays.
    mutating func update(
        _ reference: ItemReference, _ changes: ItemChanges, secret: borrowing SecretChange, for caller: Caller,
        in state: ContextState
    ) throws -> Answer<ItemIdentifier> {
        let first: Answer<ItemIdentifier>? = try withRecord(reference) { enclave, record in
            try enclave.settleUpdate(record, changes, for: caller, in: state)
        }
        guard let first = consume first else {
            try refresh()
            let decision = try settleMissing(.update, reference, for: caller, in: state)
            return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound))
        }
        guard first.isGranted else { return first }
        return try transaction { enclave in
            let answer: Answer<ItemIdentifier>? = try enclave.withRecord(reference) { enclave, record in
                let answer = try enclave.settleUpdate(record, changes, for: caller, in: state)
                guard answer.isGranted else { return answer }
                return try enclave.rewrite(record, changes, secret, for: caller, in: state)
            }
            return answer ?? .denied(Denial(.itemNotFound))
        }
    }

    /// Whether an item may be changed in this way; a new demand is one that has to be storable.
    private mutating func settleUpdate(
        _ record: RecordView, _ changes: ItemChanges, for caller: Caller, in state: ContextState
    ) throws -> Answer<ItemIdentifier> {
        let decision = try settle(.update, record, for: caller, in: state)
        guard decision.isGranted else { return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound)) }
        let old = try stored(record).description
        let new = old.with(changes)
        try requireSize(of: new.attributes, nil)
        if changes.control != nil || new.group != old.group || new.isSynchronizable != old.isSynchronizable {
            let offered = state.context.offersApplicationPassword
            // Who opened the item keeps its password; a new one is chosen where there was none.
            if old.control.needsApplicationPassword { state.context.offersApplicationPassword = true }
            defer { state.context.offersApplicationPassword = offered }
            let decision = try settleStoring(new, for: caller, in: state)
            guard decision.isGranted else { return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound)) }
        }
        let key = new.primaryKey
        if key != old.primaryKey, let inTheWay = try judgeInTheWay(of: key, for: caller, in: state) {
            return Answer(refusing: inTheWay) ?? .denied(Denial(.itemDuplicate))
        }
        return .granted(ItemIdentifier(row: record.header.row, tail: record.header.idTail))
    }

    private mutating func rewrite(
        _ record: RecordView, _ changes: ItemChanges, _ change: borrowing SecretChange, for caller: Caller,
        in state: ContextState
    ) throws -> Answer<ItemIdentifier> {
        let header = record.header
        let old = try stored(record).description
        let new = old.with(changes)
        // Decided anew for the grant itself: it names the way by which the item is open.
        let decision = try settle(.update, record, for: caller, in: state)
        guard case .granted(let grant) = decision else {
            return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound))
        }
        let secret: SecureBytes?
        switch change {
        case .keep: secret = try self.secret(of: record, by: grant, in: state)
        case .replace(let bytes): secret = try bytes.copy()
        case .remove: secret = nil
        }
        if new.primaryKey != old.primaryKey, let other = try lostRow(under: new.primaryKey) {
            guard other.isLost else { return .denied(Denial(.itemDuplicate)) }
            try takeOut(other.number)
        }
        let id = ItemIdentifier(row: header.row, tail: header.idTail)
        let binding = changes.control == nil ? header.binding : device.conditions().binding
        try takeOut(header.row)
        try put(
            new, id, binding: binding, created: header.created,
            modified: max(caller.milliseconds, header.modified + 1), secret: secret, password: state.password)
        if changes.control != nil {
            // A password is proved for the wrap that it opened, and that one is gone.
            for context in contexts.values where context.context[.applicationPassword]?.item == record.itemID {
                context.wipe([.applicationPassword])
            }
        }
        return .granted(id)
    }

    /// Takes an item out.
    mutating func delete(
        _ reference: ItemReference, for caller: Caller, in state: ContextState
    ) throws -> Answer<ItemIdentifier> {
        let answer: Answer<ItemIdentifier>? =
            try withRecord(reference) { enclave, record in
                let decision = try enclave.settle(.delete, record, for: caller, in: state)
                return Answer(refusing: decision)
                    ?? .granted(ItemIdentifier(row: record.header.row, tail: record.header.idTail))
            } ?? nil
        guard let answer = consume answer else {
            try refresh()
            let decision = try settleMissing(.delete, reference, for: caller, in: state)
            return Answer(refusing: decision) ?? .denied(Denial(.itemNotFound))
        }
        switch consume answer {
        case .granted(let id):
            let isGone = try transaction { enclave in
                // Somebody else may have been faster.
                try enclave.withRecord(.id(id)) { enclave, record in
                    try enclave.takeOut(record.header.row)
                    return true
                } ?? false
            }
            return isGone ? .granted(id) : .denied(Denial(.itemNotFound))
        case .challenge(let ways): return .challenge(ways)
        case .denied(let denial): return .denied(denial)
        }
    }

    // MARK: - What storing asks

    private mutating func settleStoring(
        _ new: ItemDescription, for caller: Caller, in state: ContextState
    ) throws -> Decision {
        try requireRoomForRecord()
        let conditions = conditions(for: caller)
        let item = Item(
            new.control, group: groups.number(of: groupTag(new.group, fixed.index)), isKey: new.isKey,
            isSynchronizable: new.isSynchronizable)
        return decision(
            .item(item, .add, namesGroup: caller.namesGroup), on: new.primaryKey.tag(fixed.index), .add, for: caller,
            in: state, under: conditions)
    }

    /// What the item in the way of a new one has to say; nil when there is none, or one that is lost.
    private mutating func judgeInTheWay(
        of key: PrimaryKey, for caller: Caller, in state: ContextState
    ) throws -> Decision? {
        try withRecord(.key(key)) { enclave, record -> Decision? in
            let conditions = enclave.conditions(for: caller)
            let item = record.header.item(in: enclave.groups.number(of: record.header.group))
            if loss(of: item, under: conditions) != nil { return nil }
            return try enclave.settle(.judgeDuplicate, record, for: caller, in: state)
        } ?? nil
    }

    private mutating func lostRow(under key: PrimaryKey) throws -> (number: Int64, isLost: Bool)? {
        try withRecord(.key(key)) { enclave, record in
            let item = record.header.item(in: .first)
            return (record.header.row, loss(of: item, under: enclave.device.conditions()) != nil)
        }
    }

    private func requireSize(of attributes: Attributes, _ secret: borrowing SecureBytes?) throws {
        let count = SealedAttributes(attributes: attributes, group: "").encoded.count
        guard count <= Attributes.limit else { throw VaultError.attributesTooLarge(count) }
        switch secret {
        case .some(let bytes):
            guard bytes.count <= SecretSize.limit else { throw VaultError.secretTooLarge(bytes.count) }
        case .none: break
        }
    }

    // MARK: - Rows

    private func newIdentifier() throws -> ItemIdentifier {
        while true {
            let halves = Sodium.randomBytes(16).withUnsafeBytes {
                ($0.loadUnaligned(as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            let row = halves.0 & .max
            store.byRow.bind(1, row)
            defer { store.byRow.reset() }
            if row != 0, try !store.byRow.step() { return ItemIdentifier(row: row, tail: halves.1) }
        }
    }

    /// Locks an item up and writes its row. A transaction is open, and the row is free.
    mutating func put(
        _ item: ItemDescription, _ id: ItemIdentifier, binding: Binding, created: Int64, modified: Int64,
        secret: borrowing SecureBytes?, password: borrowing Key?
    ) throws {
        try makeMissingGates()
        let fidelity = device.settings.fidelity
        let keyClass = item.control.protection.keyClass
        let itemKey = try Key.random()
        let count = secret.count
        let columns = item.columnTags(fixed.index)
        let cabinet = try GateCabinet(bag, keys.gate)
        let version = ledger.commits + 1
        let key = item.primaryKey.tag(fixed.index)
        let group = groupTag(item.group, fixed.index)
        let made: (record: [UInt8], tag: Tag, attributes: [UInt8])? = try keys.with(keyClass) { classKey in
            let header = Header(
                row: id.row, idTail: id.tail, version: version, itemClass: item.itemClass, control: item.control,
                classKey: classKey.id, binding: binding, isKey: item.isKey, isSynchronizable: item.isSynchronizable,
                hasSecret: count != nil, isSecretApart: (count ?? 0) > SecretSize.inRow, group: group, primaryKey: key,
                created: created, modified: modified)
            var record = header.encoded(columns)
            let core = Array(record[Header.prefix...])
            for way in item.control.ways(fidelity) {
                let missing = GateName(biometryOf: item.control.guarding, binding)
                if way.contains(.biometry) && !bag.gates.contains(where: { $0.name == missing }) {
                    continue  // a way that an enrolment change has closed stays closed
                }
                record.appendWrap(
                    for: way,
                    try Wrap.seal(
                        itemKey, for: way, of: header, core: core.span.bytes, under: classKey, cabinet,
                        password: password))
            }
            let tag = record.sealHead(fixed.header)
            let identity = Array(record[Header.identityRange])
            let sealed = SealedAttributes(attributes: item.attributes, group: item.group).encoded
            let attributes = Box.seal(sealed.span.bytes, under: classKey.attributes, context: identity.span.bytes)
            return (record, tag, attributes)
        }
        guard var made else { throw VaultError.damaged(.keybag) }
        let identity = Array(made.record[Header.identityRange])
        let box = Self.seal(secret, under: itemKey, identity)
        if box.count - Box.overhead > SecretSize.inRow {
            store.writeSecret.bind(1, id.row)
            store.writeSecret.bind(2, box)
            try store.writeSecret.run()
        } else {
            made.record += box
        }
        let insert = store.insert
        insert.bind(1, id.row)
        insert.bind(2, Int64(item.itemClass.number))
        key.withBytes { insert.bind(3, $0) }
        insert.bind(4, made.record)
        insert.bind(5, made.attributes)
        for (column, tag) in columns {
            let place = IndexColumn.places[column] ?? 0
            tag.withBytes { insert.bind(place, $0) }
        }
        try insert.run()
        ledger.add(
            try Ledger.Entry(
                row: id.row, version: version, header: made.tag, secret: box.span.bytes,
                attributes: made.attributes.span.bytes, fixed.sum))
    }

    /// An item without a secret has an empty box: its header says which of the two it is.
    private static func seal(
        _ secret: borrowing SecureBytes?, under itemKey: borrowing Key, _ identity: [UInt8]
    ) -> [UInt8] {
        switch secret {
        case .some(let bytes):
            return bytes.withBytes { Box.seal($0, under: itemKey, context: identity.span.bytes) }
        case .none:
            let context = identity.span
            return Box.seal(RawSpan(), under: itemKey, context: context.bytes)
        }
    }

    /// What is bound to a set whose gate was begun without the gate key waits for nobody else to make it.
    private mutating func makeMissingGates() throws {
        guard bag.lacksGates(for: device.domainState), Gates.isThere(keys.gate) else { return }
        var newBag = bag
        try Gates.lend(keys.gate) { try newBag.addGates(under: $0, for: device.domainState) }
        try commit(newBag, device, destroying: false)
    }

    /// Takes a row out, and out of the ledger. A transaction is open.
    mutating func takeOut(_ row: Int64) throws {
        guard let entry = try ledgerEntry(of: row) else { return }
        ledger.remove(entry)
        for statement in [store.delete, store.deleteSecret] {
            statement.bind(1, row)
            try statement.run()
        }
    }

    private mutating func ledgerEntry(of row: Int64) throws -> Ledger.Entry? {
        let byRow = try store.byRow.idle()
        byRow.bind(1, row)
        defer { byRow.reset() }
        guard try byRow.step() else { return nil }
        guard let bytes = byRow.bytes(1) else { throw VaultError.damaged(.item(row)) }
        return try ledgerEntry(of: try RecordView(bytes, row: row, fixed.header))
    }

    /// What a row adds to the ledger.
    func ledgerEntry(of record: RecordView) throws -> Ledger.Entry {
        let row = record.header.row
        let entry: Ledger.Entry?? = try withSealedAttributes(row) { attributes in
            if !record.header.isSecretApart {
                return try Ledger.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: record.secret.bytes,
                    attributes: attributes.bytes, fixed.sum)
            }
            store.readSecret.bind(1, row)
            return try store.withBytes(store.readSecret) { secret in
                try Ledger.Entry(
                    row: row, version: record.header.version, header: record.tag, secret: secret.bytes,
                    attributes: attributes.bytes, fixed.sum)
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
        ledger.forgetItems()
    }
}

extension RecordView {
    /// What evidence calls the item.
    var itemID: ItemID { ItemID(rawValue: UInt64(bitPattern: header.row)) }
}

extension SecureBytes? {
    fileprivate var count: Int? {
        borrowing get {
            switch self {
            case .some(let bytes): bytes.count
            case .none: nil
            }
        }
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

    fileprivate func with(_ changes: ItemChanges) -> ItemDescription {
        var changed = self
        if let attributes = changes.attributes { changed.attributes = attributes }
        if let control = changes.control { changed.control = control }
        if let group = changes.group { changed.group = group }
        if let isSynchronizable = changes.isSynchronizable { changed.isSynchronizable = isSynchronizable }
        return changed
    }
}

extension Caller {
    /// The hour for the dates of items, in milliseconds since the first day of 2001.
    fileprivate var milliseconds: Int64 {
        if let date, date.isFinite, abs(date) < 1e14 { return Int64(date * 1000) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec) - 978_307_200) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
