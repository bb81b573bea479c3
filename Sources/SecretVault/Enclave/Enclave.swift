internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// Ends a transaction for which nothing was written, because nothing was to be.
protocol NothingToCommit: Error {}

/// The device was locked after the decision, and the keys are gone. The operation is decided again.
struct KeysGone: NothingToCommit {}

/// Everything that happens to a vault's items and keys, one thread at a time. Only a lock does not wait its turn, see
/// ``KeyRing``.
struct Enclave: ~Copyable, @unchecked Sendable {  // it is used under its vault's lock only
    let store: Store
    let fixed: FixedKeys
    /// The sealed keys, as the database has them.
    var bag: Keybag
    /// The device, the open keys, and what contexts hold.
    let ring: KeyRing
    var contexts: [UInt64: ContextState] = [:]
    var nextContext: UInt64 = 1
    /// The context of those who bring none. Nothing is ever proved in it.
    let nobody: ContextState
    var ledger: Ledger
    /// What the database's version was when the keybag was last looked at.
    var dataVersion: UInt32
    /// What it was when the ledger was: only writing needs that, so it is looked at less often. Nil when it has to be.
    private var ledgerVersion: UInt32?
    var audit: AuditBuffer
    /// Whoever watches a simulated device.
    var watcher: (@Sendable (WatchedDecision) -> Void)?
    /// Lost items that somebody met, with the version that they met; the next write takes them out.
    var cleared: [ItemIdentifier: UInt64] = [:]
    var groups = GroupNumbers()
    /// Whether a write ended without saying how: what is in memory is believed no more until it was read again.
    var isUncertain = false
    /// Whether it has closed by itself, because what is in memory is not what is in the database.
    private(set) var hasFailed = false
    /// Whether what is left to be recorded is written, though nothing is open any more.
    private var isEnding = false
    var isClosed: Bool { ring.isSealed && !isEnding }

    /// Comes up with what the database holds. Nothing that a passcode guards is open yet.
    init(
        _ store: Store, _ fixed: consuming FixedKeys, _ bag: Keybag, _ ledger: Ledger, isAudited: Bool,
        clock: VaultClock? = nil
    ) throws {
        self.store = store
        self.bag = bag
        self.ledger = ledger
        ring = KeyRing(Device(restarting: bag.device))
        nobody = ContextState(ring)
        store.ring = ring
        dataVersion = store.connection.dataVersion
        audit = AuditBuffer(isOn: isAudited)
        self.fixed = fixed
        if bag.isReal { startClock(clock ?? .system) }
        try openAfterRestart()
    }

    // MARK: - What a lock takes away

    /// The device as it is now. A lock between reading and writing it keeps the last word.
    var device: Device {
        get { ring.read { $0.device } }
        nonmutating set { ring.replace(newValue) }
    }

    /// Catches up with locks and time since the last operation. Everything after this is decided on that device.
    mutating func begin() {
        if let hour = ring.begin() { audit.add(.event, "lock", hour: hour.milliseconds) }
        ring.takeAway { $0.keepTime() }
        forgetWiped()
    }

    /// Returns why a granted key is missing: a lock has wiped it since, or what is stored is damaged.
    func missing(_ damage: VaultError) -> any Error {
        if ring.isSealed { return VaultError.closed }
        return ring.hasLocked ? KeysGone() : damage
    }

    /// Throws if the device was locked since the operation began.
    func requireNotLockedSince() throws {
        if ring.isSealed { throw VaultError.closed }
        if ring.hasLocked { throw KeysGone() }
    }

    /// Wipes the evidence of contexts whose gates were wiped.
    func forgetWiped() {
        guard ring.takeAway({ $0.noticeWipedContexts() }) else { return }
        for state in contexts.values { state.forgetEvidence() }
    }

    // MARK: - What others have changed

    /// Whether anybody has committed since we last looked. To be asked while a statement is under way.
    var hasMoved: Bool { store.connection.dataVersion != dataVersion || isUncertain }

    /// Looks whether the device has changed under us, and if so takes it in. Not while a statement is under way.
    mutating func refresh() throws {
        if isClosed { throw VaultError.closed }
        let generation: Int64
        let version: UInt32
        do {
            guard let found = try store.number(store.readGeneration) else { throw VaultError.damaged(.keybag) }
            (generation, version) = (found, store.connection.dataVersion)
            if generation != Int64(bitPattern: bag.generation) || isUncertain { try reload(generation) }
        } catch let error as VaultError where error.isDamageOfKeybag {
            throw failClosed(error)  // it is unknown now what may be open
        }
        isUncertain = false
        dataVersion = version
    }

    private mutating func reload(_ generation: Int64) throws {
        if generation < Int64(bitPattern: bag.generation) { throw VaultError.olderCopy(store.path) }
        let found = try store.readKeybag(fixed)
        guard found.generation >= bag.generation else { throw VaultError.olderCopy(store.path) }
        guard found.generation > bag.generation else { return }
        let store = store
        do { try store.reserve.lend { try adopt(found) } } catch {
            throw failClosed(error)  // part of what somebody else has done is in memory: rather nothing
        }
    }

    /// Takes in what another enclave of the same vault has committed.
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
        // Another passcode, or none, or erased: what is open here was opened by somebody who may not be the holder any more.
        cleared.removeAll()
        var next = Device(restarting: bag.device)
        next.session = device.session + 1
        device = next
        if let clock = ring.clock { startClock(clock) }  // the hour on record is that of whoever wrote it
        ring.takeAway { $0.wipe() }
        forgetWiped()
        try openAfterRestart()
    }

    /// Opens what needs nobody: the class that is always open, and without a passcode all of them.
    mutating func openAfterRestart() throws {
        let root = try bag.root(fixed)
        try ring.change { contents in
            contents.keys.set(.always, try bag.classKey(.always, under: fixed.always))
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

    /// Says in the trail that it ends here, unless it has ended already without being able to. Everything was wiped before.
    /// What waits to be recorded is written either way, where anything can be.
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
    /// `lasting` says whether the device has to remember the count before anybody is told that it is done; `isDestroying`,
    /// whether an erase key is retired after it.
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
                try takeOutCleared()
                let result = try body(&self)
                try flushAudit()
                guard ledger.commits < .max else { throw VaultError.damaged(.ledger) }
                ledger.commits += 1
                ledger.generation = bag.generation
                store.writeLedger.bind(1, ledger.sealed(under: fixed.ledger))
                try store.writeLedger.run()
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
                // What somebody met as lost stays so; what was taken out for it is back in the database.
                cleared.merge(before.cleared) { $1 }
                throw abandoning(error)
            }
        }
    }

    /// Ends the transaction that is open without a trace.
    private mutating func abandoning(_ error: any Error) -> any Error {
        audit.abandoned()
        if store.connection.isInTransaction { try? store.rollback.run() }
        if !(error is any NothingToCommit) {
            // Nothing of it happened, or we cannot know: memory looks again before it is believed.
            isUncertain = true
            ledgerVersion = nil
        }
        if hasFailed { recordLast() }
        return error
    }

    /// What is in the database can no longer be said to be what is in memory and on the device: nothing is open any more,
    /// until somebody opens the vault anew. What waits to be recorded is written before that, or when the transaction that is
    /// open has ended.
    mutating func failClosed(_ error: any Error) -> any Error {
        guard !hasFailed else { return error }
        ring.seal()
        hasFailed = true
        recordLast()
        return error
    }

    /// Writes what waits to be recorded once the keybag is believed no more: the audit log and the ledger, and nothing else.
    /// Where the ledger is not what was written last either, it does nothing, and ``AuditBuffer/count`` says what is lost.
    private mutating func recordLast() {
        guard audit.isOn, !audit.isEmpty, !store.connection.isInTransaction else { return }
        let (store, before) = (store, ledger)
        try? store.locked {
            try store.begin.run()
            do {
                let counted = try store.keys.counter()
                guard let current = try store.withBytes(store.readLedger, { try Ledger($0, under: fixed.ledger) }),
                    current.commits >= max(counted, ledger.commits), current.commits < .max
                else { throw VaultError.damaged(.ledger) }
                ledger = current
                try flushAudit()
                ledger.commits += 1
                store.writeLedger.bind(1, ledger.sealed(under: fixed.ledger))
                try store.writeLedger.run()
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
        guard let current = try store.withBytes(store.readLedger, { try Ledger($0, under: fixed.ledger) }) else {
            throw VaultError.damaged(.ledger)
        }
        if bag.generation < current.generation { throw VaultError.olderCopy(store.path) }
        ledger = current
        ledgerVersion = dataVersion
    }

    private mutating func takeOutCleared() throws {
        guard !cleared.isEmpty else { return }
        let lost = cleared
        cleared.removeAll()
        for (id, version) in lost {
            // Somebody else may have been faster, and have brought something back under the same identifier.
            do {
                let row = try withRecord(.id(id)) { $1.header.version == version ? $1.header.row : nil }
                if case .some(.some(let row)) = row { try takeOut(row) }
            } catch VaultError.damaged(.item) {
                continue  // what is damaged stays as it is, and keeps nobody from writing something else
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
        store.writeDevice.bind(2, bag.sealed(under: try fixed.keybag(eraseKey), vaultID: store.keys.vaultID))
        try store.writeDevice.run()
    }
}

extension VaultError {
    /// Whether it is unknown now what the device may open.
    fileprivate var isDamageOfKeybag: Bool {
        switch self {
        case .damaged(.keybag), .olderCopy: true
        default: false
        }
    }
}

extension Store {
    /// The keybag of the database, by whichever erase key opens it; settles what a crash left unsettled.
    ///
    /// A mismatch is damage only if it is still one under the lock: whoever changes both files holds it. Without the lock
    /// even the two slots may be seen from before and after a change, and neither with a key in it.
    func readKeybag(_ fixed: borrowing FixedKeys) throws -> Keybag {
        if let bag = try? readSettledKeybag(fixed) { return bag }
        return try locked {
            let erase = try keys.eraseKeys()
            if let bag = try openKeybag(fixed, erase.newest) {
                if erase.hasOlder { try settle(.newest) }
                return bag
            }
            if let bag = try erase.withOlder({ try openKeybag(fixed, $0) }) {
                try settle(.older)
                return bag
            }
            throw VaultError.damaged(.keybag)
        }
    }

    /// The keybag where there is one erase key, and it opens it.
    private func readSettledKeybag(_ fixed: borrowing FixedKeys) throws -> Keybag? {
        let erase = try keys.eraseKeys()
        return erase.hasOlder ? nil : try openKeybag(fixed, erase.newest)
    }

    /// The erase key that the keybag is under; under the lock only. Another one may be there that somebody added who did
    /// not get further, and it need not have reached the disk.
    func eraseKeyInUse(_ fixed: borrowing FixedKeys) throws -> Key {
        let erase = try keys.eraseKeys()
        switch erase.older {
        case .some(let older) where try openKeybag(fixed, erase.newest) == nil: return try older.copy()
        default: return try erase.newest.copy()
        }
    }

    /// Retires the erase key that the keybag is not under; under the lock only.
    ///
    /// A commit that failed or was cut short may still lie at the end of the log, unseen as long as anybody has the log
    /// open and seen by whoever opens it after that; and one that is seen may not have reached the disk. So first the row
    /// is committed once more: after that nothing comes back, and nothing goes away. In the midst of a transaction this
    /// has to wait.
    private func settle(_ kept: EraseKeys.Age) throws {
        if connection.isInTransaction { return }
        try begin.run()
        do {
            let row = try withRow(readDevice) { ($0.number(0), $0.bytes(1).map { [UInt8]($0) } ?? []) }
            guard let (generation, keybag) = row else { throw VaultError.damaged(.keybag) }
            // The same bytes put over themselves would not be written.
            try connection.execute("DELETE FROM device")
            writeDevice.bind(1, generation)
            writeDevice.bind(2, keybag)
            try writeDevice.run()
            try commit.run()
        } catch {
            if connection.isInTransaction { try? rollback.run() }
            throw error
        }
        try keys.keep(kept)
    }

    private func openKeybag(_ fixed: borrowing FixedKeys, _ erase: borrowing Key) throws -> Keybag? {
        let key = try fixed.keybag(erase)
        let found: (Int64, Keybag)?? = try withRow(readDevice) { statement in
            guard let box = statement.bytes(1),
                let bag = try Keybag.open(box, under: key, vaultID: keys.vaultID)
            else { return nil }
            return (statement.number(0), bag)
        }
        guard case .some(.some(let (generation, bag))) = found else { return nil }
        guard generation == Int64(bitPattern: bag.generation) else { throw VaultError.damaged(.keybag) }
        return bag
    }

    private func withRow<Result>(_ statement: Statement, _ body: (Statement) throws -> Result) throws -> Result? {
        defer { statement.reset() }
        return try statement.step() ? try body(statement) : nil
    }
}
