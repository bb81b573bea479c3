internal import Synchronization
public import UserPresence

// The keychain of code that names none. It is a simulated device in memory unless a program chooses another, so no test
// and no default can reach a vault that keeps secrets.

/// A keychain used by calls that name none, with its owner.
package struct CurrentKeychain: Sendable {
    /// The keychain.
    package let keychain: Keychain
    /// The object that the keychain belongs to, such as a test's simulated device. It lives at least as long as the
    /// keychain is current somewhere.
    package let owner: (any AnyObject & Sendable)?

    @TaskLocal fileprivate static var ofTask: CurrentKeychain?
    private static let chosen = Mutex<CurrentKeychain?>(nil)
    private static let watcherOfUnchosen = Mutex<(any KeychainWatcher)?>(nil)

    /// Reports calls to `watcher` if they reach the device that is made because none was chosen.
    package static func watchUnchosen(by watcher: any KeychainWatcher) {
        watcherOfUnchosen.withLock { $0 = watcher }
    }

    /// Creates an entry for `keychain`, which belongs to `owner`.
    package init(_ keychain: Keychain, of owner: (any AnyObject & Sendable)? = nil) {
        self.keychain = keychain
        self.owner = owner
    }

    /// The entry of the process; nil if none was chosen or needed yet.
    package static var ofProcess: CurrentKeychain? {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The entry of this task, or else of the process; nil if neither was chosen.
    package static var known: CurrentKeychain? { ofTask ?? ofProcess }

    /// The entry of this task, or else of the process. If neither was chosen, it makes a simulated device in memory.
    package static var now: CurrentKeychain {
        get throws(KeychainError) {
            if let known { return known }
            let made = CurrentKeychain(try Keychain.simulated())
            let current = chosen.withLock { chosen in
                if let faster = chosen { return faster }
                chosen = made
                return made
            }
            if current.keychain === made.keychain, let watcher = watcherOfUnchosen.withLock({ $0 }) {
                try made.keychain.watch(by: watcher)
            }
            return current
        }
    }

    /// Runs `body` with this entry as the task's current one.
    package func whileCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = Self.$ofTask.withValue(self) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Runs an asynchronous `body` with this entry as the task's current one.
    package nonisolated(nonsending) func whileCurrent<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$ofTask.withValue(self, operation: body)
    }
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
