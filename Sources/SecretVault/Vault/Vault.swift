public import AccessPolicy
internal import DeviceModel
internal import Dispatch
internal import LinuxSystem
internal import SodiumKit
internal import Synchronization

/// Encrypted items, each under its own access policy.
///
/// A vault decrypts an item only when the item's access policy is satisfied. It never prompts: you authenticate the user,
/// the vault keeps the evidence in a ``VaultContext``, and it decides each request by that context.
///
/// ```swift
/// let passcode = try SecureBytes("correct horse battery staple")
/// let created = try Vault.create(at: path, .real(), passcode: passcode)
/// let vault = created.vault
///
/// // Reading this item needs the passcode.
/// let mail = ItemDescription(
///     .genericPassword, ["acct": .string("me"), "svce": .string("mail")],
///     try AccessControl(protection: .whenUnlocked, flags: .devicePasscode), group: "me")
/// let caller = Caller("my program", groups: ["me"])
/// _ = try vault.add(mail, secret: try SecureBytes("s3cret"), for: caller)
///
/// // Without the passcode, the vault answers with a challenge.
/// let context = try vault.makeContext()
/// let first = try vault.read(.key(mail.primaryKey), for: caller, in: context)
///
/// // With the passcode in the context, it returns the secret.
/// try vault.enter(passcode: passcode, in: context)
/// let second = try vault.read(.key(mail.primaryKey), for: caller, in: context)
/// ```
///
/// Several threads can use one vault, and several programs can open the same folder at a time.
public final class Vault: Sendable {
    /// The state behind the lock: it owns the keys, the device's own among them, and the files. Nil once the vault is closed.
    private let held: BargingLock<VaultState?>
    /// The keys and state that a lock takes away. A lock does not wait for the vault.
    let ring: KeyRing
    let path: String
    let attempts: AttemptLock
    /// The kind of the vault: for real secrets, or to simulate a device.
    public let kind: VaultOptions.Kind
    /// True if a real vault accepts a fake sensor. Show this to the user wherever you show the vault's state.
    public let hasFakeSensor: Bool
    /// True if the audit log was durable at the end of the last operation.
    private let hasDurableAudit: Atomic<Bool>
    private let willFlush = Atomic(false)
    private let hasFailed = Atomic(false)
    private let whenFailed = Mutex<(@Sendable () -> Void)?>(nil)
    private let unwritten = Atomic(0)

    init(_ vault: consuming sending VaultState) {
        path = vault.store.path
        attempts = vault.store.attempts
        kind = vault.bag.isReal ? .real : .simulated
        hasFakeSensor = vault.bag.hasFakeSensor
        hasDurableAudit = Atomic(vault.isAuditDurable)
        ring = vault.ring
        held = BargingLock(vault)
    }

    deinit { close() }

    /// Runs one operation. Every operation comes through here: one thread at a time, and every error as a
    /// ``VaultError``.
    func run<Result: ~Copyable & Sendable>(
        _ body: (inout VaultState) throws -> sending Result
    ) throws(VaultError) -> Result {
        do {
            let result = try held.withLock { try use(&$0, body) }
            return result
        } catch {
            throw Self.inOurWords(error, path)
        }
    }

    /// Runs one operation. If a lock takes the keys away meanwhile, runs it again on the locked device.
    private func use<Result: ~Copyable & Sendable>(
        _ vault: inout VaultState?, recordsAtOnce: Bool = true, _ body: (inout VaultState) throws -> sending Result
    ) throws -> sending Result {
        if vault == nil { throw VaultError.closed }
        return try use(&vault!, recordsAtOnce: recordsAtOnce, body)
    }

    /// Runs one operation on a vault that is open. To read a property through the optional would copy all of it.
    private func use<Result: ~Copyable & Sendable>(
        _ vault: inout VaultState, recordsAtOnce: Bool, _ body: (inout VaultState) throws -> sending Result
    ) throws -> sending Result {
        if vault.isClosed { throw VaultError.closed }
        defer {
            if vault.hasFailed { noteFailure() }
            hasDurableAudit.store(vault.isAuditDurable, ordering: .relaxed)
        }
        vault.begin()
        vault.makeRoomForRecords()
        defer { if !vault.audit.isEmpty { scheduleFlush() } }
        while true {
            do {
                let result = try body(&vault)
                if recordsAtOnce { try vault.recordDurably() }
                return result
            } catch is KeysGoneError {
                vault.begin()
            }
        }
    }

    /// True if a call returns only after its record is on the disk. The owner can change this while the vault is open.
    var isAuditDurable: Bool { hasDurableAudit.load(ordering: .relaxed) }

    /// Runs one operation if no other thread is using the vault; otherwise returns nil without waiting. Its records are
    /// written later, even with a durable log.
    func runIfFree<Result: Sendable>(
        _ body: (inout VaultState) throws -> sending Result
    ) throws(VaultError) -> Result? {
        do { return try held.withLockIfAvailable { try use(&$0, recordsAtOnce: false, body) } } catch {
            throw Self.inOurWords(error, path)
        }
    }

    /// True once the vault has closed itself after a failure, because memory and files may disagree. Every key is wiped
    /// for good. Open the vault again.
    package var hasClosedItself: Bool { hasFailed.load(ordering: .sequentiallyConsistent) }

    /// Runs `body` once if the vault closes itself, or at once if it has. That may be in the middle of an operation, so
    /// `body` must not use the vault.
    package func whenItClosesItself(_ body: @escaping @Sendable () -> Void) {
        whenFailed.withLock { $0 = body }
        if hasClosedItself { whenFailed.withLock { $0.take() }?() }
    }

    private func noteFailure() {
        hasFailed.store(true, ordering: .sequentiallyConsistent)
        whenFailed.withLock { $0.take() }?()
    }

    /// Wipes everything for good after an error.
    func closeItself() {
        ring.seal()
        noteFailure()
    }

    /// Runs `body`, and throws its error as a ``VaultError``.
    func inVaultWords<Result: ~Copyable>(_ body: () throws -> Result) throws(VaultError) -> Result {
        do { return try body() } catch { throw Self.inOurWords(error, path) }
    }

    static func inOurWords(_ error: any Error, _ path: String) -> VaultError {
        switch error {
        case let error as VaultError: error
        case is SensorUnaskedError: .sensorUnasked
        case let error as StorageError: error.vaultError(on: path)
        case let error as SodiumError: .memory(error)
        default: .system(path, code: -1, text: "\(error)")
        }
    }

    // MARK: - The audit log

    private static let flusher = DispatchQueue(label: "latchkey.audit")

    /// Writes the waiting records within a second, on one thread for the whole process.
    func scheduleFlush() {
        // Check with a cheap read first, because a flush is nearly always scheduled already.
        guard !willFlush.load(ordering: .relaxed), !willFlush.exchange(true, ordering: .relaxed) else { return }
        Self.flusher.asyncAfter(deadline: .now() + .milliseconds(800)) { [weak self] in
            guard let self else { return }
            willFlush.store(false, ordering: .relaxed)
            try? flushAudit()
        }
    }

    /// Makes the flusher put the waiting records on the disk now, and waits for it at most this many milliseconds. Returns false
    /// if it takes longer, and throws if that fails within this time.
    func recordDurably(within milliseconds: Int) throws(VaultError) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        let failure = Failure()
        Self.flusher.async { [self] in
            // Every operation puts its records on the disk at its end, so an empty one suffices.
            do throws(VaultError) { try run { _ in } } catch { failure.error.withLock { $0 = error } }
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
        if let error = failure.error.withLock({ $0 }) { throw error }
        return true
    }

    /// The error of an operation on another thread.
    private final class Failure: Sendable {
        let error = Mutex<VaultError?>(nil)
    }

    /// Writes the waiting records to the audit log.
    public func flushAudit() throws(VaultError) {
        try run { vault in
            if !vault.audit.isEmpty { try vault.writeRecords() }
        }
    }

    /// Wipes every key and closes the files. Every later call throws ``VaultError/closed``.
    ///
    /// The keys are wiped at once. The files are closed when the running operation has ended. ``unwrittenRecords``
    /// counts the records that could no longer be written.
    public func close() {
        seal()
        held.withLock { vault in
            vault?.end()
            if let count = vault?.audit.count { unwritten.store(count, ordering: .relaxed) }
            vault = nil
        }
        attempts.close()
    }

    /// The number of records that a closed vault could not write to the audit log, because another program held the
    /// files or they were damaged.
    public var unwrittenRecords: Int { unwritten.load(ordering: .relaxed) }

    // MARK: - Contexts

    /// Creates a context without evidence.
    public func makeContext() throws(VaultError) -> VaultContext {
        VaultContext(self, try run { $0.contexts.make(ring) })
    }

    func forget(context number: UInt64) {
        held.withLock { $0?.contexts.end(number) }
    }

    /// Runs one operation with the state of a context, or with an empty one.
    func run<Result: ~Copyable & Sendable>(
        in context: VaultContext?, _ body: (inout VaultState, ContextState) throws -> sending Result
    ) throws(VaultError) -> Result {
        if let context, context.vault !== self { throw .foreignContext }
        return try run { vault in
            return try body(&vault, vault.contexts[context?.number])
        }
    }
}

/// The evidence of authentications, with the gates that they opened. A context belongs to one vault. A lock wipes what
/// it holds.
public final class VaultContext: Sendable {
    let vault: Vault
    let number: UInt64

    init(_ vault: Vault, _ number: UInt64) {
        self.vault = vault
        self.number = number
    }

    deinit { vault.forget(context: number) }

    /// Sets how old an unlock of the device by biometry may be to count as biometry in this context. Zero means that it
    /// never counts.
    public func setReuse(_ span: TimeSpan) throws(VaultError) {
        try vault.run(in: self) { $1.context.reuse = span }
    }

    /// Ends the context and wipes its keys. Later requests in it are denied.
    public func invalidate() throws(VaultError) {
        try vault.run(in: self) { _, state in
            state.wipe()
            state.dropPassword()
            state.context.isInvalidated = true
        }
    }

    /// The evidence so far.
    public var context: Context {
        get throws(VaultError) { try vault.run(in: self) { $1.context } }
    }
}
