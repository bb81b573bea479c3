internal import Synchronization
public import UserPresence

// The keychain of code that names none. It is a simulated device in memory unless a program chooses another, so no test
// and no default can reach a vault that keeps secrets.

/// A keychain used by calls that name none, with its owner.
package struct CurrentKeychain: Sendable {
    package let keychain: Keychain
    /// The object that the keychain belongs to, such as a test's simulated device. It lives at least as long as the
    /// keychain is current somewhere.
    package let owner: (any AnyObject & Sendable)?

    @TaskLocal static var ofTask: CurrentKeychain?
    private static let chosen = Mutex<CurrentKeychain?>(nil)
    private static let unchosen = Mutex<Unchosen>(Unchosen())

    private struct Unchosen: Sendable {
        /// The device in memory that calls share if none was chosen.
        var device: CurrentKeychain?
        var report: (@Sendable (_ call: String, _ ofProcess: CurrentKeychain?) -> Void)?
    }

    /// The run in which this entry is current.
    private var run: Run?
    /// True if the entry no longer counts once its run is over.
    private var endsWithRun = false

    private final class Run: Sendable {
        let isOver = Atomic(false)
    }

    /// Calls `report` with the name of each app's call whose task has no keychain, in that task, and with the entry of the
    /// process, which the call uses; nil if none was chosen.
    package static func reportUnchosen(
        by report: @escaping @Sendable (_ call: String, _ ofProcess: CurrentKeychain?) -> Void
    ) {
        unchosen.withLock { $0.report = report }
    }

    package init(_ keychain: Keychain, of owner: (any AnyObject & Sendable)? = nil) {
        self.keychain = keychain
        self.owner = owner
    }

    /// The entry of the process; nil if none was chosen. Setting nil also forgets the device that calls share then.
    package static var ofProcess: CurrentKeychain? {
        get { chosen.withLock { $0 } }
        set {
            chosen.withLock { $0 = newValue }
            if newValue == nil { unchosen.withLock { $0.device = nil } }
        }
    }

    /// The entry of this task, or else of the process; nil if neither was chosen.
    package static var known: CurrentKeychain? {
        if let ofTask, !ofTask.isOver { return ofTask }
        return ofProcess
    }

    private var isOver: Bool { endsWithRun && run?.isOver.load(ordering: .acquiring) == true }

    /// This entry, but only until the run in which it is current ends.
    var untilRunEnds: CurrentKeychain {
        var entry = self
        entry.endsWithRun = run != nil
        return entry
    }

    /// Returns the entry that an app's call of this name uses. A call whose task has none is reported.
    package static func of(call name: String) throws(KeychainError) -> CurrentKeychain {
        if let ofTask, !ofTask.isOver { return ofTask }
        let ofProcess = ofProcess
        if let report = unchosen.withLock({ $0.report }) { report(name, ofProcess) }
        return if let ofProcess { ofProcess } else { try now }
    }

    /// The entry of this task, or else of the process. If neither was chosen, it is a simulated device in memory that
    /// all such calls share.
    package static var now: CurrentKeychain {
        get throws(KeychainError) {
            if let known { return known }
            if let made = unchosen.withLock({ $0.device }) { return made }
            let made = CurrentKeychain(try Keychain.simulated())
            return unchosen.withLock { unchosen in
                if let faster = unchosen.device { return faster }
                unchosen.device = made
                return made
            }
        }
    }

    /// Runs `body` with this entry as the task's current one.
    package func whileCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let entry = begun
        defer { entry.end() }
        let outcome: Swift.Result<Result, Failure> = Self.$ofTask.withValue(entry) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Runs an asynchronous `body` with this entry as the task's current one.
    package nonisolated(nonsending) func whileCurrent<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let entry = begun
        defer { entry.end() }
        return try await Self.$ofTask.withValue(entry, operation: body)
    }

    /// This entry in a run of its own.
    private var begun: CurrentKeychain {
        var entry = CurrentKeychain(keychain, of: owner)
        entry.run = Run()
        return entry
    }

    private func end() { run?.isOver.store(true, ordering: .releasing) }
}

extension Keychain {
    /// The keychain of this task, or else of the process. If neither was chosen, it is a new simulated device in
    /// memory.
    public static var current: Keychain {
        get throws(KeychainError) { try CurrentKeychain.now.keychain }
    }

    /// Opens the vault in this folder, locked, and makes it the keychain of the process.
    ///
    /// - Throws: The errors of ``open(at:authenticator:sensor:user:requester:patience:)``.
    @discardableResult
    public static func use(
        vaultAt path: String, authenticator: (any PasscodeAuthenticator)? = nil, sensor: SensorChoice = .none,
        user: any DeviceUser = NoUser(), requester: Requester = .thisProgram
    ) throws(KeychainError) -> Keychain {
        let keychain = try open(
            at: path, authenticator: authenticator, sensor: sensor, user: user, requester: requester)
        use(keychain)
        return keychain
    }

    /// Makes `keychain` the keychain of the process. With nil, the process gets a new simulated device once it needs
    /// one.
    public static func use(_ keychain: Keychain?) { CurrentKeychain.ofProcess = keychain.map { CurrentKeychain($0) } }

    /// Runs `body` with this keychain as the current one of the task.
    public func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try CurrentKeychain(self).whileCurrent(body)
    }

    /// Runs an asynchronous `body` with this keychain as the current one of the task.
    public nonisolated(nonsending) func asCurrent<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentKeychain(self).whileCurrent(body)
    }
}
