internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import LinuxSystem
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

    /// Writes the whole vault into a new file: the device file, and the database as it is at one moment.
    ///
    /// - Throws: ``VaultError/eventNeedsAuthentication`` unless the context has proved ``factorsToTransfer()``.
    mutating func transfer(
        to path: String, _ head: TransferHead, under outer: borrowing Key, isKept: Bool, for caller: Caller,
        in state: ContextState
    ) throws {
        let factors = try factorsToTransfer()
        if factors.contains(where: { state.context[$0] == nil }) { throw VaultError.eventNeedsAuthentication }
        let file = try NewFileWriter(path)
        audit.add(
            .event, isKept ? "transferred, kept" : "transferred", by: caller, hour: device.now.milliseconds)
        let store = store
        let snapshot = try store.locked {
            try transaction(lasting: true) { _ in }  // so that the new vault has the record of the transfer
            return try Snapshot(of: store, isKept: isKept)
        }
        var writer = try TransferWriter(head, under: outer, file)
        try snapshot.device.encoded().withBytes { try writer.write($0) }
        try writer.finish(with: snapshot.database)
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
        try destroyingTransaction { enclave in
            var bag = enclave.bag
            bag.sensor = SensorRecord()
            try enclave.commit(bag, enclave.device, destroying: true)
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
            let description = try? withRecord(.id(id)) { enclave, record in
                enclave.device.openClasses.contains(record.header.control.protection.keyClass)
                    ? try enclave.seals.stored(record).description : nil
            }
            return description ?? nil
        }
    }

    // MARK: - Retiring

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

    /// Destroys the erase key, so that nothing ever opens this copy of the vault again.
    mutating func retire(_ code: String, for caller: Caller) throws {
        try refresh()
        let store = store
        try store.locked {
            guard RetirementCode.isSame(code, try retirementCode) else {
                audit.add(.event, "retire, wrong", by: caller, hour: device.now.milliseconds)
                throw VaultError.wrongRetirementCode
            }
            audit.add(.event, "retired", by: caller, hour: device.now.milliseconds)
            try transaction(lasting: true) { _ in }
            // A crash may have left two erase keys, and the new one needs a slot.
            if try store.keys.eraseKeys().hasOlder { _ = try store.readKeybag() }
            try store.keys.add(try Key.random())
            try store.keys.keep(.newest)
            // Nothing opens the keybag any more. A new generation tells programs that have the vault open.
            try? transaction { try $0.writeKeybag(under: try Key.random()) }
        }
    }
}

/// A vault at one moment: its device, and a copy of its database without a log. The file of the copy has no name, so
/// nothing of it is left.
private final class Snapshot {
    let device: TransferredDevice
    let database: Descriptor

    /// Copies the vault. Call it under the lock of the vault, outside of a transaction.
    init(of store: Store, isKept: Bool) throws {
        guard store.lock != nil, let folder = SystemPath.split(store.path)?.above else {
            throw VaultError.noVault(store.path)
        }
        let path = VaultFolder.snapshot(in: folder)
        unlink(path)
        defer { unlink(path) }
        database = try Descriptor(path, O_RDWR | O_CREAT | O_EXCL)
        try store.connection.write(toFileAt: path)
        device = try TransferredDevice(of: store, isKept: isKept)
    }
}

extension TransferredDevice {
    /// Reads the device of a vault. Call it under the lock of the vault.
    init(of store: Store, isKept: Bool) throws {
        let fixedKey = try store.keys.fixedKey()
        let eraseKey = try store.eraseKeyInUse()
        let counter = try store.keys.counter()
        self.init(store.keys.vaultID, fixedKey, eraseKey, counter, isKept)
    }
}
