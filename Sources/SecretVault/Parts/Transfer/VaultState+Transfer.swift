internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Returns the factors that the owner has to prove before this vault is transferred.
    mutating func factorsToTransfer() throws -> FactorSet {
        try refresh()
        let conditions = device.conditions()
        var factors: FactorSet = [.passcode]
        try eachIntactItem { item, _ in
            // An invalidated item opens nowhere, so nothing has to be proved for it.
            guard invalidation(of: item, under: conditions) == nil else { return }
            factors = factors.union(item.factorsToTransfer(conditions.fidelity))
        }
        return factors
    }

    /// Calls `body` with every item that is not damaged. A damaged one opens nowhere.
    private mutating func eachIntactItem(_ body: (Item, ItemIdentifier) -> Void) throws {
        for row in try store.allRows() {
            do {
                _ = try withRow(row) { _, record in body(record.header.item(in: .first), record.header.id) }
            } catch VaultError.damaged(.item) {
                continue
            }
        }
    }

    /// Makes a vault that comes from another machine one of this machine. Its sensor is another one, so no enrolled
    /// finger counts any more: items bound to the enrolled set are invalidated. `settings` are those for this machine. The
    /// owner has just typed the passcode.
    mutating func settle(_ settings: [UInt8]) throws {
        try refresh()
        for finger in device.enrolled {
            _ = try happen(.sensorForgot(finger), EventKeys()) { $0.sensor = SensorRecord() }
        }
        audit.add(.event, "received", hour: device.now.milliseconds)
        if settings != bag.settings {
            try transaction(lasting: true) { try $0.changeSettings { $0.settings = settings } }
        }
        // The file of the transfer has the erase key. With a new one, what is destroyed here stays destroyed.
        try destroyingTransaction { vault in
            var bag = vault.bag
            bag.sensor = SensorRecord()
            try vault.commit(bag, vault.device, destroying: true)
        }
    }

    mutating func invalidatedItems() throws -> Set<ItemIdentifier> {
        let conditions = device.conditions()
        var found: Set<ItemIdentifier> = []
        try eachIntactItem { item, id in
            if invalidation(of: item, under: conditions) != nil { found.insert(id) }
        }
        return found
    }

    /// Returns those of these items that can be read: their class is open, and their attributes are not damaged.
    mutating func described(_ items: Set<ItemIdentifier>) -> [ItemDescription] {
        items.compactMap { id in
            let description = try? withRecord(.id(id)) { vault, record in
                vault.device.openClasses.contains(record.header.control.protection.keyClass)
                    ? try vault.seals.stored(record).description : nil
            }
            return description ?? nil
        }
    }

    /// The code that shows that another machine has received what this vault contains now. A vault that was received has
    /// another erase key, so the code of the old vault never retires the new one. Call it under the lock.
    var retirementCode: String {
        get throws {
            let ledger = try store.ledger()
            var hash = try KeyedHash(store.fixed.ledger)
            hash.add("retirement".utf8Span.span.bytes)
            hash.add(try store.eraseKeyInUse())
            var (items, writer) = (ledger.items, StoredWriter())
            items.code(with: &writer)
            hash.add(writer.written.span.bytes)
            return RetirementCode.text(hash.bytes())
        }
    }
}
