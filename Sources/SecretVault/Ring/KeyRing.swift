internal import AccessPolicy
internal import DeviceModel
internal import Glibc
internal import Synchronization

/// Everything that a lock takes away: the state of the device, the open keys, and the keys that contexts hold.
///
/// A thread holds the pin for arithmetic only. While it does, it touches no file, runs no statement or command, calls
/// no watcher, and takes no lock except the arena's. So any thread can lock or wipe at any moment, and waits no longer
/// than one decryption takes.
///
/// Everything else happens under the mutex of the vault, one operation at a time. If a lock comes during an
/// operation, the operation finds its keys gone, and the ring at once locks again whatever the operation puts back.
final class KeyRing: Sendable {
    /// One life of the keys. Every lock begins another one.
    struct Epoch: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Storage: @unchecked Sendable {  // used under the pin only
        let contents: UnsafeMutablePointer<Contents>
    }

    private let storage: Storage
    /// The thread that holds the pin; zero if none does.
    private let holder = Atomic<UInt>(0)
    private let life = Atomic<UInt64>(1)
    /// The life in which the running operation began.
    private let began = Atomic<UInt64>(1)
    private let isUnlockedNow: Atomic<Bool>
    /// The settings of the program that uses the vault, if they are those that the owner chose; nil if that is unknown.
    private let checkedSettings = Mutex<[UInt8]?>(nil)
    private let isSealedNow = Atomic(false)
    private let hasOther = Atomic(false)

    init(_ device: Device) {
        storage = Storage(contents: .allocate(capacity: 1))
        isUnlockedNow = Atomic(!device.isLocked)
        storage.contents.initialize(to: Contents(device))
    }

    deinit {
        storage.contents.deinitialize(count: 1)
        storage.contents.deallocate()
    }

    /// The present life.
    var epoch: Epoch { Epoch(number: life.load(ordering: .acquiring)) }

    /// True if the device is unlocked. This takes no pin and never waits.
    var isUnlocked: Bool { isUnlockedNow.load(ordering: .acquiring) }

    /// Shows whether the settings are those that the owner chose: they are if they are given.
    func show(checked settings: [UInt8]?) { checkedSettings.withLock { $0 = settings } }

    /// Returns true if these are the settings that the owner chose. This never waits for an operation.
    func hasChecked(_ settings: [UInt8]) -> Bool { !isSealed && checkedSettings.withLock { $0 == settings } }

    /// True if the settings in the keybag are those that the owner chose.
    var hasCheckedSettings: Bool { !isSealed && checkedSettings.withLock { $0 != nil } }

    /// True once another program has wrapped the root anew, or has put another one into the vault.
    var hasOtherRoot: Bool { hasOther.load(ordering: .acquiring) }

    /// Notes that another program has changed the root in the vault.
    func noteOtherRoot() { hasOther.store(true, ordering: .releasing) }

    /// True once everything has been wiped for good.
    var isSealed: Bool { isSealedNow.load(ordering: .acquiring) }

    /// The clock of a real vault; nil for a simulated device, whose time passes only when the caller says so.
    var clock: VaultClock? { read { $0.clock } }

    // MARK: - The operation under way

    /// Begins an operation, or begins it again. Returns the time of the last lock if no record has it yet.
    func begin() -> Instant? {
        if life.load(ordering: .acquiring) == began.load(ordering: .relaxed) { return nil }
        return pinned { contents in
            began.store(life.load(ordering: .relaxed), ordering: .relaxed)
            return contents.consumeUnrecorded()
        }
    }

    /// True if the device was locked after the running operation began.
    var hasLocked: Bool { life.load(ordering: .acquiring) != began.load(ordering: .relaxed) }

    func read<Result: ~Copyable>(_ body: (borrowing Contents) throws -> Result) rethrows -> Result {
        try pinned { try body($0) }
    }

    /// Applies a result of the running operation. If the device was locked after the operation began, the lock wins:
    /// the ring locks the device again and wipes the new keys.
    func change<Result: ~Copyable>(_ body: (inout Contents) throws -> Result) throws -> Result {
        try pinned { contents in
            if isSealed { throw VaultError.closed }
            defer {
                if hasLocked { contents.lockOnTop() }
                note(contents)
            }
            return try body(&contents)
        }
    }

    /// Takes something away. This is valid even if the device was locked meanwhile.
    func withdraw<Result>(_ body: (inout Contents) -> Result) -> Result {
        pinned { contents in
            defer { note(contents) }
            return body(&contents)
        }
    }

    /// Replaces the device by its state at the end of the running operation, with the rules of `change(_:)`.
    func replace(_ device: Device) { try? change { $0.replace(device) } }  // A sealed ring stays as it is.

    // MARK: - Locking

    /// Locks the device and wipes the keys that a lock closes. This cannot fail, and waits neither for the database nor
    /// for another lock.
    func lock() -> Effects {
        pinned { contents in
            let effects = contents.lock()
            // A device without a passcode cannot be locked, so its operations continue.
            if effects.refusal != .passcodeNotSet { life.add(1, ordering: .releasing) }
            note(contents)
            return effects
        }
    }

    /// Wipes everything for good. After that, nothing can be read or put back.
    func seal() {
        pinned { contents in
            isSealedNow.store(true, ordering: .releasing)
            life.add(1, ordering: .releasing)
            contents.wipeForGood()
            note(contents)
        }
    }

    private func note(_ contents: borrowing Contents) {
        isUnlockedNow.store(!contents.device.isLocked && !isSealed, ordering: .releasing)
    }

    // MARK: - The pin

    private func pinned<Result: ~Copyable>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
        let me = UInt(pthread_self())
        var tries = 0
        while true {
            let (isTaken, other) = holder.weakCompareExchange(
                expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
            if isTaken { break }
            precondition(other != me, "this thread holds the ring already")
            tries += 1
            if tries > 64 { sched_yield() }
        }
        defer { holder.store(0, ordering: .releasing) }
        return try body(&storage.contents.pointee)
    }
}

/// Reports that the device was locked after the decision and its keys are gone. The operation must be decided again.
struct KeysGoneError: NothingToCommitError {}

extension KeyRing {
    /// Returns the reason why a granted key is missing: a lock has wiped it, or the stored data is damaged.
    func missing(_ damage: VaultError) -> any Error {
        if isSealed { return VaultError.closed }
        return hasLocked ? KeysGoneError() : damage
    }

    /// Throws if the device was locked after the operation began.
    func requireNotLockedSince() throws {
        if isSealed { throw VaultError.closed }
        if hasLocked { throw KeysGoneError() }
    }
}

extension KeyRing {
    struct Contents: ~Copyable {
        var device: Device
        var keys = OpenKeys()
        private(set) var kept: KeptForMatch?
        /// The keys of each context that exists.
        private(set) var contexts: [ObjectIdentifier: ContextKeys] = [:]
        /// The clock of a real vault; nil for a simulated device, whose time passes only when the caller says so.
        private(set) var clock: VaultClock?
        /// The last reading of the clock.
        private(set) var tick: Int64 = 0
        /// The time of the last lock, until a record has it.
        private var unrecorded: Instant?
        private var hasWipedContexts = false
        /// The number of times that every key but those of class D was wiped. A file that was opened before is closed.
        private(set) var restarts: UInt64 = 0

        init(_ device: Device) { self.device = device }
    }
}

extension KeyRing.Contents {
    /// Applies the effects of an event to the keys in memory. `open` opens class keys.
    mutating func carryOut(_ effects: Effects, opening open: (inout Self, KeyClasses) throws -> Void) rethrows {
        for effect in effects {
            switch effect {
            case .wipeContexts: wipeContexts()
            case .close(let classes, let isKept):
                if isKept { keep(classes) } else { kept = nil }
                for keyClass in classes { keys.set(keyClass, nil) }
                if classes.contains(.whenUnlocked) { keys.settings = nil }
                if classes.contains(.afterFirstUnlock) {
                    keys.gate = nil
                    restarts += 1
                }
            case .open(let classes): try open(&self, classes)
            case .forgetUnlockKey: kept = nil
            case .destroyDomainState(let state): for held in contexts.values { held.gates.wipe(state) }
            case .destroySensor: for held in contexts.values { held.gates.wipe([.biometry]) }
            case .destroyPasscodeClass: keys.set(.whenPasscodeSet, nil)
            case .eraseAll: wipe()
            case .refused, .authenticated, .rejected, .endSheets, .rewrapRoot, .createPasscodeClass, .beginDomainState,
                .exportBackup, .importBackup:
                break  // These concern the vault's owner, the sealed keys, or the caller's next step.
            }
        }
    }

    /// Applies the effects of an event that opens nothing.
    private mutating func carryOut(_ effects: Effects) { carryOut(effects) { (_, _) in } }

    /// Keeps the keys with which a match can open these classes later. If the classes are closed already, the ring kept
    /// their keys before.
    private mutating func keep(_ classes: KeyClasses) {
        if keys.with(.whenUnlocked, { _ in true }) == true { kept = try? KeptForMatch(classes, of: keys) }
        switch kept {
        case .some: break
        case .none: device.passcodeReasons.insert(.noUnlockKey)
        }
    }

    /// Opens these classes with the keys that were kept for a match. Throws if there are none, because an unlocked
    /// device must have its keys.
    mutating func openKept(_ classes: KeyClasses) throws {
        for keyClass in classes {
            switch kept {
            case .some(let kept): keys.set(keyClass, try kept.openKey(keyClass))
            case .none: throw VaultError.damaged(.keybag)
            }
        }
        kept = nil
    }

    fileprivate mutating func lock() -> Effects {
        keepTime()
        let effects = device.apply(.lock)
        carryOut(effects)
        if effects.refusal == nil { unrecorded = device.now }
        return effects
    }

    /// Locks the device again after an operation that began before a lock, and wipes every key that should not be open.
    fileprivate mutating func lockOnTop() {
        carryOut(device.apply(.lock))
        let open = device.openClasses
        for keyClass in KeyClass.allCases where !open.contains(keyClass) { keys.set(keyClass, nil) }
        if !open.contains(.whenUnlocked) { keys.settings = nil }
        if !open.contains(.afterFirstUnlock) { keys.gate = nil }
        if !device.isOpen { wipeContexts() }
    }

    mutating func wipe() {
        for keyClass in KeyClass.allCases { keys.set(keyClass, nil) }
        keys.gate = nil
        keys.settings = nil
        kept = nil
        restarts += 1
        wipeContexts()
    }

    fileprivate mutating func wipeForGood() {
        wipe()
        for held in contexts.values { held.password = nil }
    }

    private mutating func wipeContexts() {
        for held in contexts.values { held.wipe() }
        hasWipedContexts = true
    }

    fileprivate mutating func consumeUnrecorded() -> Instant? {
        defer { unrecorded = nil }
        return unrecorded
    }

    /// Returns true if contexts were wiped since the last call. The caller then wipes their evidence too.
    mutating func noticeWipedContexts() -> Bool {
        defer { hasWipedContexts = false }
        return hasWipedContexts
    }

    /// Replaces the state of the device. If a lock let time pass meanwhile, that time passes on the new state too.
    fileprivate mutating func replace(_ other: Device) {
        if clock != nil, other.now < device.now { tick -= (device.now - other.now).milliseconds }
        device = other
    }

    // MARK: - Contexts

    mutating func register(_ held: ContextKeys) { contexts[ObjectIdentifier(held)] = held }

    mutating func forget(_ held: ContextKeys) {
        held.wipe()
        held.password = nil
        contexts[ObjectIdentifier(held)] = nil
    }

    // MARK: - Time

    /// Begins to keep time. The caller applies the time that passed before.
    mutating func start(_ clock: VaultClock) {
        tick = clock.uptime()
        self.clock = clock
    }

    /// Applies the time since the last call to the device of a real vault.
    mutating func keepTime() {
        guard let clock else { return }
        let uptime = clock.uptime()
        guard uptime > tick else { return }
        carryOut(device.apply(.timePassed(TimeSpan(milliseconds: uptime - tick))))
        tick = uptime
    }
}
