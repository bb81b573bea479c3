internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The vault behind its lock: it commits, and puts the others together. One thread at a time uses it. Only a lock does not wait
/// its turn, see ``KeyRing``.
///
/// Each part owns its storage and gets the others as parameters:
/// - ``Store``: the database, the device's keys, and the lock over both.
/// - ``KeyRing``: the device and the open keys, which any thread can wipe.
/// - ``Decider``: asks `decide`, and reports each decision.
/// - ``ItemSeals``: opens items by a grant, and locks them up.
/// - ``Ledger``: the account of the rows (``ItemSums``) and of the audit log (``AuditAccount``), which write what they count.
/// - ``Keybag``: the sealed keys, with the attempts at the passcode and the record of the sensor.
/// - ``AuditLog``: the records that wait to be written.
struct Enclave: ~Copyable, @unchecked Sendable {  // it is used under its vault's lock only
    let store: Store
    /// The sealed keys, as the database has them.
    var bag: Keybag
    /// The device, the open keys, and the keys of contexts.
    let ring: KeyRing
    var contexts: Contexts
    /// Opens items and locks them up.
    let seals: ItemSeals
    var ledger: Ledger
    /// The version of the database when the keybag was last read.
    var dataVersion: UInt32
    /// The version of the database when the ledger was last read, which only writing needs; nil if it has to be read again.
    private var ledgerVersion: UInt32?
    var audit: AuditLog
    var decider = Decider()
    /// Invalidated items that a request has met. The next write deletes them.
    var cleared = ClearedItems()
    /// True after a write whose outcome is unknown. Nothing in memory counts before it is read again.
    var isUncertain = false
    /// True once it has closed itself, because memory and database do not agree.
    private(set) var hasFailed = false
    /// True while it writes its last records, although nothing is open any more.
    private var isEnding = false
    var isClosed: Bool { ring.isSealed && !isEnding }

    /// Creates the enclave from the contents of the database. Nothing that a passcode guards is open yet.
    init(
        _ store: Store, _ bag: Keybag, _ ledger: Ledger, isAudited: Bool,
        clock: VaultClock? = nil
    ) throws {
        self.store = store
        self.bag = bag
        self.ledger = ledger
        ring = KeyRing(Device(restarting: bag.device))
        contexts = Contexts(ring)
        seals = ItemSeals(store: store, ring: ring)
        store.hasEnded = { [ring] in ring.isSealed }
        dataVersion = store.connection.dataVersion
        audit = AuditLog(isOn: isAudited)
        if bag.isReal { startClock(clock ?? .system) }
        try openAfterRestart()
    }

    // MARK: - What a lock takes away

    /// The present state of the device. A lock between reading and writing it has the last word.
    var device: Device {
        get { ring.read { $0.device } }
        nonmutating set { ring.replace(newValue) }
    }

    /// Catches up with locks and time since the last operation. Decisions after this see that device.
    mutating func begin() {
        if let hour = ring.begin() { audit.add(.event, "lock", hour: hour.milliseconds) }
        let hasWiped = ring.withdraw { contents in
            contents.keepTime()
            return contents.noticeWipedContexts()
        }
        if hasWiped { contexts.forgetEvidence() }
    }

    /// Wipes the evidence of contexts whose gates were wiped.
    func forgetWiped() {
        guard ring.withdraw({ $0.noticeWipedContexts() }) else { return }
        contexts.forgetEvidence()
    }

    // MARK: - What others have changed

    /// True if another connection has committed since the last look. Ask while a statement is running.
    var hasMoved: Bool { store.connection.dataVersion != dataVersion || isUncertain }

    /// Takes in what other connections have changed. Do not call it while a statement is running.
    mutating func refresh() throws {
        if isClosed { throw VaultError.closed }
        let generation: Int64
        let version: UInt32
        do {
            guard let found = try store.number(store.readGeneration) else { throw VaultError.damaged(.keybag) }
            (generation, version) = (found, store.connection.dataVersion)
            if generation != Int64(bitPattern: bag.generation) || isUncertain { try reload(generation) }
        } catch let error as VaultError where error.isDamageOfKeybag {
            throw failClosed(error)  // what may be open is unknown now
        }
        isUncertain = false
        dataVersion = version
    }

    private mutating func reload(_ generation: Int64) throws {
        if generation < Int64(bitPattern: bag.generation) { throw VaultError.olderCopy(store.path) }
        let found = try store.readKeybag()
        guard found.generation >= bag.generation else { throw VaultError.olderCopy(store.path) }
        guard found.generation > bag.generation else { return }
        let store = store
        do { try store.reserve.lend { try adopt(found) } } catch {
            throw failClosed(error)  // only part of another program's change is in memory
        }
    }

    /// Takes in a keybag that another enclave of the same vault has committed.
    private mutating func adopt(_ found: Keybag) throws {
        let isSamePasscode = found.root == bag.root
        bag = found
        if isEnding { return }
        do {
            if isSamePasscode { try carryOut(device.adopt(found.device), opening: .nothing) } else { try beginAnew() }
        } catch {
            throw failClosed(error)
        }
    }

    private mutating func beginAnew() throws {
        // The passcode was changed or removed, or the device erased: the user who unlocked it here may not know the new one.
        cleared = ClearedItems()
        var next = Device(restarting: bag.device)
        next.session = device.session + 1
        device = next
        if let clock = ring.clock { startClock(clock) }  // the time on record is that of the program that wrote it
        ring.withdraw { $0.wipe() }
        forgetWiped()
        try openAfterRestart()
    }

    /// Opens the classes that need no unlock: the one that is always open, and all of them if there is no passcode.
    mutating func openAfterRestart() throws {
        let root = try bag.root(store.fixed)
        try ring.change { contents in
            contents.keys.set(.always, try bag.classKey(.always, under: store.fixed.always))
            try Gates.lend(root) { try open(contents.device.openClasses, $0, in: &contents) }
        }
    }

    /// Opens classes by the root.
    func open(_ classes: KeyClasses, _ root: borrowing Key, in contents: inout KeyRing.Contents) throws {
        for keyClass in classes where keyClass != .always {
            contents.keys.set(keyClass, try bag.classKey(keyClass, under: root))
        }
        if !Gates.isThere(contents.keys.gate) { contents.keys.gate = try bag.openGateKey(root) }
    }

    /// Writes the waiting records and that the vault is closed; after a failure only the former. Call it after wiping the keys.
    mutating func end() {
        guard !hasFailed else { return recordLast() }
        begin()
        audit.add(.closed, "close", hour: device.now.milliseconds)
        isEnding = true
        defer { isEnding = false }
        guard audit.isOn else { return }
        do { try transaction(lasting: true) { _ in } } catch { recordLast() }
    }

    // MARK: - Writing

    /// Runs `body` in one transaction that is there wholly or not at all; every transaction is counted, in the database and
    /// on the device.
    ///
    /// If `lasting`, the device remembers the count before this returns. If `isDestroying`, the caller retires an erase key
    /// after it.
    mutating func transaction<Result: ~Copyable>(
        lasting: Bool = false, isDestroying: Bool = false, _ body: (inout Enclave) throws -> Result
    ) throws -> Result {
        if isClosed { throw VaultError.closed }
        let store = store
        return try store.locked {
            try store.reserve.fill()
            try store.begin.run()
            store.observer?(.began)
            do { try takeInBeforeWriting() } catch { throw abandoning(error) }
            let before = (ledger: ledger, bag: bag, device: device, cleared: cleared)
            var isCommitted = false
            do {
                try deleteCleared()
                let result = try body(&self)
                try audit.flush(into: &ledger.audit, in: store)
                guard ledger.commits < .max else { throw VaultError.damaged(.ledger) }
                ledger.commits += 1
                ledger.generation = bag.generation
                try store.write(ledger)
                try store.commit.run()
                isCommitted = true
                store.observer?(isDestroying ? .committedWithTwoKeys : .ended)
                audit.committed()
                dataVersion = store.connection.dataVersion
                ledgerVersion = dataVersion
                try store.keys.setCounter(ledger.commits, lasting: lasting)
                return result
            } catch {
                if isCommitted { throw failClosed(error) }
                (ledger, bag, device) = (before.ledger, before.bag, before.device)
                // Invalidated items stay so. Their deletion was rolled back.
                cleared.restore(before.cleared)
                throw abandoning(error)
            }
        }
    }

    /// Ends the transaction that is open without a trace.
    private mutating func abandoning(_ error: any Error) -> any Error {
        audit.abandoned()
        if store.connection.isInTransaction { try? store.rollback.run() }
        if !(error is any NothingToCommitError) {
            // Nothing of it happened, or its outcome is unknown: read everything again before the next use.
            isUncertain = true
            ledgerVersion = nil
        }
        if hasFailed { recordLast() }
        return error
    }

    /// Closes the enclave for good, because database, memory and device may not agree any more. Open the vault anew after it.
    ///
    /// The waiting records are written now, or when the open transaction has ended. Returns `error`.
    mutating func failClosed(_ error: any Error) -> any Error {
        guard !hasFailed else { return error }
        ring.seal()
        hasFailed = true
        recordLast()
        return error
    }

    /// Writes the waiting records when the keybag does not count any more: the audit log and the ledger, and nothing else.
    /// If the ledger is not the last one either, it writes nothing, and ``AuditLog/count`` is the number of lost records.
    private mutating func recordLast() {
        guard audit.isOn, !audit.isEmpty, !store.connection.isInTransaction else { return }
        let (store, before) = (store, ledger)
        try? store.locked {
            try store.begin.run()
            do {
                let counted = try store.keys.counter()
                let current = try store.ledger()
                guard current.commits >= max(counted, ledger.commits), current.commits < .max else {
                    throw VaultError.damaged(.ledger)
                }
                ledger = current
                try audit.flush(into: &ledger.audit, in: store)
                ledger.commits += 1
                try store.write(ledger)
                try store.commit.run()
            } catch {
                ledger = before
                audit.abandoned()
                if store.connection.isInTransaction { try? store.rollback.run() }
                throw error
            }
            audit.committed()
            try store.keys.setCounter(ledger.commits, lasting: true)
        }
    }

    private mutating func takeInBeforeWriting() throws {
        if hasMoved { try refresh() }
        guard ledgerVersion != dataVersion else { return }
        let current = try store.ledger()
        if bag.generation < current.generation { throw VaultError.olderCopy(store.path) }
        ledger = current
        ledgerVersion = dataVersion
    }

    private mutating func deleteCleared() throws {
        guard !cleared.isEmpty else { return }
        for (id, version) in cleared.takeAll() {
            // Another program may have been faster, and may have brought an item back under the same identifier.
            do {
                let row = try withRecord(.id(id)) { $1.header.version == version ? $1.header.row : nil }
                if case .some(.some(let row)) = row { try deleteRow(row) }
            } catch VaultError.damaged(.item) {
                continue  // a damaged row stays as it is, and other writes go on
            }
        }
    }

    /// Writes the keybag as it is now, a generation further.
    mutating func writeKeybag(under eraseKey: borrowing Key) throws {
        guard bag.generation < .max else { throw VaultError.damaged(.keybag) }
        bag.generation += 1
        (bag.device, bag.clock) = ring.read { contents in
            (contents.device.lasting, contents.clock.map { ClockMark(boot: $0.boot, uptime: contents.tick) })
        }
        store.writeDevice.bind(1, Int64(bitPattern: bag.generation))
        store.writeDevice.bind(2, bag.sealed(under: try store.fixed.keybag(eraseKey), vaultID: store.keys.vaultID))
        try store.writeDevice.run()
    }
}

extension VaultError {
    /// True if what the device may open is unknown now.
    fileprivate var isDamageOfKeybag: Bool {
        switch self {
        case .damaged(.keybag), .olderCopy: true
        default: false
        }
    }
}
