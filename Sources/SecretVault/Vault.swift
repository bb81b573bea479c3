public import AccessPolicy
internal import DeviceModel
internal import Dispatch
public import SodiumKit
internal import Synchronization

/// Secrets under encryption, each under what it demands.
///
/// It asks nobody and believes nobody: what was proved is handed to it, `decide` says what may happen, and what may not
/// happen has no key. One vault may be used by several threads and opened by several programs.
public final class Vault: Sendable {
    /// Nothing once the vault is closed: with the enclave go its keys, the device's own among them, and its files.
    private let enclave: Mutex<Enclave?>
    /// What a lock takes away. A lock does not wait for the enclave.
    let ring: KeyRing
    let path: String
    let attempts: AttemptLock
    /// Whether it keeps secrets or plays a device.
    public let kind: VaultOptions.Kind
    /// Whether a real vault was made to take a sensor that anybody can fake. Whoever shows its state says so.
    public let hasFakeSensor: Bool
    /// Whether every record of the audit log is on the disk before what it records is done, as of the last operation.
    private let hasDurableAudit: Atomic<Bool>
    private let willFlush = Atomic(false)
    private let hasFailed = Atomic(false)
    private let whenFailed = Mutex<(@Sendable () -> Void)?>(nil)
    private let unwritten = Atomic(0)

    init(_ enclave: consuming sending Enclave) {
        path = enclave.store.path
        attempts = enclave.store.attempts
        kind = enclave.bag.isReal ? .real : .simulated
        hasFakeSensor = enclave.bag.hasFakeSensor
        hasDurableAudit = Atomic(enclave.bag.isAuditDurable)
        ring = enclave.ring
        self.enclave = Mutex(enclave)
    }

    deinit { close() }

    /// The one way in: one thread at a time, and every error in the vault's words.
    func run<Result: ~Copyable & Sendable>(
        _ body: (inout Enclave) throws -> sending Result
    ) throws(VaultError) -> Result {
        do {
            let result = try enclave.withLock { try use(&$0, body) }
            return result
        } catch {
            throw Self.inOurWords(error, path)
        }
    }

    /// Runs one operation. If a lock takes its keys away, it is decided again on the locked device.
    private func use<Result: ~Copyable & Sendable>(
        _ enclave: inout Enclave?, recordsAtOnce: Bool = true, _ body: (inout Enclave) throws -> sending Result
    ) throws -> sending Result {
        guard enclave?.isClosed == false else { throw VaultError.closed }
        defer {
            if enclave?.hasFailed == true { noteFailure() }
            hasDurableAudit.store(enclave?.bag.isAuditDurable ?? false, ordering: .relaxed)
        }
        enclave?.begin()
        enclave?.makeRoomForRecords()
        defer { if enclave?.audit.isEmpty == false { scheduleFlush() } }
        while true {
            do {
                let result = try body(&enclave!)
                if recordsAtOnce { try enclave?.recordDurably() }
                return result
            } catch is KeysGone {
                enclave?.begin()
            }
        }
    }

    /// Whether a call may return only when its record is on the disk. The owner can change that while the vault is open.
    var isAuditDurable: Bool { hasDurableAudit.load(ordering: .relaxed) }

    /// Runs one operation if no other thread is using the vault; returns nil otherwise, without waiting. What it records is
    /// written later, even if every record has to be on the disk at once.
    func runIfFree<Result: Sendable>(
        _ body: (inout Enclave) throws -> sending Result
    ) throws(VaultError) -> Result? {
        do { return try enclave.withLockIfAvailable { try use(&$0, recordsAtOnce: false, body) } } catch {
            throw Self.inOurWords(error, path)
        }
    }

    /// Whether the vault has closed itself, because something failed after which memory and files may not agree. No key is open
    /// then, and none ever will be: whoever needs the vault opens it anew.
    package var hasClosedItself: Bool { hasFailed.load(ordering: .sequentiallyConsistent) }

    /// Has `body` run once when the vault closes itself. It may run in the middle of an operation, and must not use the vault.
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

    /// What `body` gives, or its error in the vault's words.
    func inVaultWords<Result: ~Copyable>(_ body: () throws -> Result) throws(VaultError) -> Result {
        do { return try body() } catch { throw Self.inOurWords(error, path) }
    }

    static func inOurWords(_ error: any Error, _ path: String) -> VaultError {
        switch error {
        case let error as VaultError: error
        case is SensorUnasked: .sensorUnasked
        case let error as StorageError: error.vaultError(on: path)
        case let error as SodiumError: .memory(error)
        default: .system(path, code: -1, text: "\(error)")
        }
    }

    // MARK: - The audit log

    private static let flusher = DispatchQueue(label: "latchkey.audit")

    /// What was recorded is written out within a second, by one thread for the whole process.
    func scheduleFlush() {
        // Looking first is cheap, and nearly always enough.
        guard !willFlush.load(ordering: .relaxed), !willFlush.exchange(true, ordering: .relaxed) else { return }
        Self.flusher.asyncAfter(deadline: .now() + .milliseconds(800)) { [weak self] in
            guard let self else { return }
            willFlush.store(false, ordering: .relaxed)
            try? flushAudit()
        }
    }

    /// Has what was recorded written out now, by the flusher, and waits for that up to so many milliseconds.
    func flushAudit(upTo milliseconds: Int) {
        let isDone = DispatchSemaphore(value: 0)
        Self.flusher.async { [self] in
            try? flushAudit()
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Writes out what was recorded.
    public func flushAudit() throws(VaultError) {
        try run { enclave in
            if !enclave.audit.isEmpty { try enclave.transaction { _ in } }
        }
    }

    /// Wipes every key and lets go of the files. Whoever uses the vault after that gets an error.
    ///
    /// The keys are wiped first and at once. The files are closed when the operation under way has ended. What could not be
    /// recorded any more is counted in ``unwrittenRecords``.
    public func close() {
        seal()
        enclave.withLock { enclave in
            enclave?.end()
            if let count = enclave?.audit.count { unwritten.store(count, ordering: .relaxed) }
            enclave = nil
        }
        attempts.close()
    }

    /// How many of the last records the audit log does not have, once the vault is closed: nobody let go of the files in time,
    /// or they are not what they were.
    public var unwrittenRecords: Int { unwritten.load(ordering: .relaxed) }

    // MARK: - Contexts

    /// A context in which nothing is proved yet.
    public func makeContext() throws(VaultError) -> VaultContext {
        let number = try run { enclave in
            let number = enclave.nextContext
            enclave.nextContext += 1
            enclave.contexts[number] = ContextState(ring)
            return number
        }
        return VaultContext(self, number)
    }

    func forget(context number: UInt64) {
        enclave.withLock { enclave in
            enclave?.contexts[number]?.wipe()
            enclave?.contexts[number] = nil
        }
    }

    /// The same as ``run(_:)``, with the state of a context; an empty one where there is none.
    func run<Result: ~Copyable & Sendable>(
        in context: VaultContext?, _ body: (inout Enclave, ContextState) throws -> sending Result
    ) throws(VaultError) -> Result {
        if let context, context.vault !== self { throw .foreignContext }
        return try run { enclave in
            let state = context.flatMap { enclave.contexts[$0.number] } ?? enclave.nobody
            return try body(&enclave, state)
        }
    }
}

/// What somebody has proved, with the gates that it opened. It belongs to one vault, and ends with it or with a lock.
public final class VaultContext: Sendable {
    let vault: Vault
    let number: UInt64

    init(_ vault: Vault, _ number: UInt64) {
        self.vault = vault
        self.number = number
    }

    deinit { vault.forget(context: number) }

    /// How old an unlock of the device by biometry may be to count as biometry here; zero means never.
    public func setReuse(_ span: TimeSpan) throws(VaultError) {
        try vault.run(in: self) { $1.context.reuse = span }
    }

    /// The password of the application. It is stretched, which takes as long as a passcode does.
    public func setApplicationPassword(_ password: borrowing SecureBytes) throws(VaultError) {
        let key = try vault.stretched(password)
        try vault.run(in: self) { try $1.take(copying: key) }
    }

    /// Forgets the password of the application.
    public func dropApplicationPassword() throws(VaultError) {
        try vault.run(in: self) { $1.dropPassword() }
    }

    /// Ends the context: nothing is answered in it any more, and what it held is wiped.
    public func invalidate() throws(VaultError) {
        try vault.run(in: self) { _, state in
            state.wipe()
            state.dropPassword()
            state.context.isInvalidated = true
        }
    }

    /// What has been proved so far.
    public var context: Context {
        get throws(VaultError) { try vault.run(in: self) { $1.context } }
    }
}
