internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The state of an open vault. It connects the parts below and commits their changes. One thread at a time uses it;
/// only locking does not wait for its turn (see ``KeyRing``). What a vault does when it is asked is a function of ``Vault``.
/// Steps that several of these share are functions here.
///
/// Each part owns its storage and gets the others as parameters:
/// - ``Store``: the database, the device's keys, and the lock over both.
/// - ``KeyRing``: the device and the open keys, which any thread can wipe.
/// - ``Decider``: calls `decide`, and reports each decision.
/// - ``ItemSeals``: decrypts items by a grant, and encrypts them.
/// - ``Ledger``: the account of the rows (``ItemSums``) and of the audit log (``AuditAccount``), which write what they
///   count.
/// - ``Keybag``: the sealed keys, the attempts at the passcode, and the record of the sensor.
/// - ``AuditLog``: the records that wait to be written.
struct VaultState: ~Copyable, @unchecked Sendable {  // it is used under its vault's lock only
    let store: Store
    /// The sealed keys, as they are in the database.
    var bag: Keybag { didSet { showSettings() } }
    /// The owner's settings that were last compared with their copy under a key of the root; nil if none were since the
    /// vault was opened.
    var checked: OwnerSettings? { didSet { showSettings() } }
    /// The mark of the key under which they were compared.
    var checkedUnder: [UInt8]?
    /// The device, the open keys, and the keys of contexts.
    let ring: KeyRing
    var contexts: Contexts
    /// The part that encrypts and decrypts items.
    let seals: ItemSeals
    var ledger: Ledger
    /// The version of the database when the keybag was last read.
    var dataVersion: UInt32
    /// The version of the database when the ledger was last read; nil if it has to be read again before the next write.
    private var ledgerVersion: UInt32?
    var audit: AuditLog
    var decider = Decider()
    /// The invalidated items that requests have found. The next write deletes them.
    var cleared = ClearedItems()
    /// True after a write whose outcome is unknown. Everything in memory has to be read again before it counts.
    var isUncertain = false
    /// True once the vault has closed itself, because memory and database may not agree.
    private(set) var hasFailed = false
    /// True while the vault writes its last records, after the keys were wiped.
    private var isEnding = false
    /// True while a commit only records something, so that it may use the reserve on the disk.
    var isRecording = false
    /// True while the blocks of the reserve are in use. Work that can wait is then left out.
    var isOnReserve = false
    var isClosed: Bool { ring.isSealed && !isEnding }

    /// Creates the vault from the contents of the database. The classes that need the passcode are closed.
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
        dataVersion = store.items.version
        audit = AuditLog(isOn: isAudited)
        if bag.isReal { startClock(clock ?? .system) }
        try openAfterRestart()
        showSettings()
    }

    // MARK: - Locking

    /// The present state of the device. If a lock happens between reading and writing it, the device stays locked.
    var device: Device {
        get { ring.read { $0.device } }
        nonmutating set { ring.replace(newValue) }
    }

    /// Takes in the locks and the time that have passed since the last operation, so that decisions see the present
    /// device.
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

    // MARK: - Changes by other programs

    /// True if another program has committed since the last refresh. Read it while a lease on a row is open.
    var hasMoved: Bool { store.items.version != dataVersion || isUncertain }

    /// Takes in the changes that other programs have committed. Do not call it while a lease is open.
    mutating func refresh() throws {
        if isClosed { throw VaultError.closed }
        let generation: Int64
        let version: UInt32
        do {
            guard let found = try store.generation() else { throw VaultError.damaged(.keybag) }
            (generation, version) = (found, store.items.version)
            if generation != Int64(bitPattern: bag.generation) || isUncertain { try reload(generation) }
        } catch let error as VaultError where error.isDamageOfKeybag {
            throw failClosed(error)  // the keybag cannot be read, so it is unknown which keys may stay open
        }
        isUncertain = false
        dataVersion = version
    }

    /// Runs `body` while no other program changes the files, after taking in their changes.
    mutating func lockedAndRefreshed<Result>(_ body: (inout VaultState) throws -> Result) throws -> Result {
        let store = store
        return try store.locked {
            try refresh()
            return try body(&self)
        }
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

    /// Takes in a keybag that another program has committed.
    private mutating func adopt(_ found: Keybag) throws {
        let isSamePasscode = found.root == bag.root
        guard bag.mayBecome(found) else { throw VaultError.damaged(.keybag) }
        bag = found
        if isEnding { return }
        do {
            if isSamePasscode { try carryOut(device.adopt(found.device), opening: .nothing) } else { try beginAnew() }
            try checkAdoptedSettings()
        } catch {
            throw failClosed(error)
        }
    }

    private mutating func beginAnew() throws {
        // The passcode was changed or removed, or the device was erased. The user who unlocked it here may not know the
        // new passcode, so everything is locked again.
        cleared = ClearedItems()
        // The settings were checked under the former root. A program with the device file can write a root of its own.
        checked = nil
        checkedUnder = nil
        ring.noteOtherRoot()
        audit.add(.event, "root, wrapped by another program", hour: bag.device.now.milliseconds)
        var next = Device(restarting: bag.device)
        next.session = device.session + 1
        device = next
        if let clock = ring.clock { startClock(clock) }  // the recorded time comes from the program that wrote it
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
        try Gates.lend(root) { try checkSettings(with: $0) }
    }

    func open(_ classes: KeyClasses, _ root: borrowing Key, in contents: inout KeyRing.Contents) throws {
        for keyClass in classes where keyClass != .always {
            contents.keys.set(keyClass, try bag.classKey(keyClass, under: root))
        }
        if !Gates.isThere(contents.keys.gate) { contents.keys.gate = try bag.openGateKey(root) }
        contents.keys.settings = try Keybag.settingsKey(root)
    }

    /// Writes the waiting records and the record that the vault is closed; after a failure, only the waiting ones. Call
    /// it after wiping the keys.
    mutating func end() {
        guard !hasFailed else { return recordLast() }
        begin()
        audit.add(.closed, "close", hour: device.now.milliseconds)
        isEnding = true
        defer { isEnding = false }
        guard audit.isOn else { return }
        do { try writeRecords(lasting: true) } catch { recordLast() }
    }

    // MARK: - Writing

    /// Runs `body` in a transaction, which is committed as a whole or not at all. Every commit is counted, in the
    /// database and on the device.
    ///
    /// If `lasting`, the count on the device survives a loss of power once this returns. If `isDestroying`, the caller
    /// then overwrites an erase key. If `isLarge`, it changes very many rows.
    mutating func transaction<Result: ~Copyable>(
        lasting: Bool = false, isDestroying: Bool = false, isLarge: Bool = false,
        _ body: (inout VaultState) throws -> Result
    ) throws -> Result {
        if isClosed { throw VaultError.closed }
        let store = store
        return try store.locked {
            try store.reserve.fill()
            try requireReserve()
            try store.items.begin(isLarge ? .largeChange : .change)
            store.observer?(.began)
            do { try takeInBeforeWriting() } catch { throw abandoning(error) }
            let before = (ledger: ledger, bag: bag, device: device, cleared: cleared, checked: checked)
            var isCommitted = false
            do {
                try deleteCleared()
                let result = try body(&self)
                try audit.flush(into: &ledger.audit, in: store, archiving: !isOnReserve)
                guard ledger.commits < .max else { throw VaultError.damaged(.ledger) }
                ledger.commits += 1
                ledger.generation = bag.generation
                try store.write(ledger)
                try store.items.commit()
                isCommitted = true
                store.observer?(isDestroying ? .committedWithTwoKeys : .ended)
                audit.committed()
                dataVersion = store.items.version
                ledgerVersion = dataVersion
                try store.keys.setCounter(ledger.commits, lasting: lasting)
                return result
            } catch {
                if isCommitted { throw failClosed(error) }
                (ledger, bag, device) = (before.ledger, before.bag, before.device)
                checked = before.checked
                // Their deletion was rolled back, so the next write has to delete them again.
                cleared.restore(before.cleared)
                throw abandoning(error)
            }
        }
    }

    /// Rolls the open transaction back, and returns `error`.
    private mutating func abandoning(_ error: any Error) -> any Error {
        audit.abandoned()
        store.items.rollBack()
        if !(error is any NothingToCommitError) {
            // The outcome may be unknown, so everything has to be read again before the next use.
            isUncertain = true
            ledgerVersion = nil
        }
        if hasFailed { recordLast() }
        return error
    }

    /// Closes the vault for good, because database, memory and device may no longer agree. Then the vault has to be
    /// opened again.
    ///
    /// Writes the waiting records now, or once the open transaction has ended. Returns `error`.
    mutating func failClosed(_ error: any Error) -> any Error {
        guard !hasFailed else { return error }
        ring.seal()
        hasFailed = true
        recordLast()
        return error
    }

    /// Writes the waiting records after the keybag has stopped counting: it changes the audit log and the ledger, and
    /// nothing else. If the ledger in the database is older than the last one as well, it writes nothing, and the
    /// records are lost. ``AuditLog/count`` is then their number.
    private mutating func recordLast() {
        guard audit.isOn, !audit.isEmpty, !store.items.isInTransaction else { return }
        let before = ledger
        try? recording { vault in
            let store = vault.store
            try store.items.begin(.change)
            do {
                let counted = try store.keys.counter()
                let current = try store.ledger()
                guard current.commits >= max(counted, vault.ledger.commits), current.commits < .max else {
                    throw VaultError.damaged(.ledger)
                }
                vault.ledger = current
                try vault.audit.flush(into: &vault.ledger.audit, in: store, archiving: !vault.isOnReserve)
                vault.ledger.commits += 1
                try store.write(vault.ledger)
                try store.items.commit()
            } catch {
                vault.ledger = before
                vault.audit.abandoned()
                store.items.rollBack()
                throw error
            }
            vault.audit.committed()
            try store.keys.setCounter(vault.ledger.commits, lasting: true)
        }
    }

    private mutating func takeInBeforeWriting() throws {
        if hasMoved { try refresh() }
        try takeInLedger()
    }

    /// Reads the ledger if it may have changed since it was read last.
    mutating func takeInLedger() throws {
        guard ledgerVersion != dataVersion else { return }
        let current = try store.ledger()
        if bag.generation < current.generation { throw VaultError.olderCopy(store.path) }
        ledger = current
        ledgerVersion = dataVersion
    }

    private mutating func deleteCleared() throws {
        guard !cleared.isEmpty, !isOnReserve else { return }
        for (id, version) in cleared.takeAll() {
            // Another program may already have deleted the item, and may have restored one with the same identifier.
            do {
                let row = try withRecord(.id(id)) { $1.header.version == version ? $1.header.row : nil }
                if case .some(.some(let row)) = row { try deleteRow(row) }
            } catch VaultError.damaged(.item) {
                continue  // a damaged row stays, and must not keep other writes from being committed
            }
        }
    }

    /// Writes the keybag as the next generation.
    mutating func writeKeybag(under eraseKey: borrowing Key) throws {
        guard bag.generation < .max else { throw VaultError.damaged(.keybag) }
        bag.generation += 1
        (bag.device, bag.clock) = ring.read { contents in
            (contents.device.lasting, contents.clock.map { ClockMark(boot: $0.boot, uptime: contents.tick) })
        }
        try store.write(
            keybag: bag.sealed(under: try store.fixed.keybag(eraseKey), vaultID: store.keys.vaultID),
            generation: Int64(bitPattern: bag.generation))
    }
}

extension VaultError {
    /// True if the error means that the keybag in the database cannot be trusted.
    fileprivate var isDamageOfKeybag: Bool {
        switch self {
        case .damaged(.keybag), .olderCopy: true
        default: false
        }
    }
}
