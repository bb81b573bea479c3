internal import Synchronization
public import UserPresence

// Which keychain code means that names none. Unless a program says otherwise it is a simulated device in memory, so that no
// test and no default can reach anybody's secrets.

/// A keychain that calls mean that name none, and what it belongs to.
package struct CurrentKeychain: Sendable {
    /// The keychain.
    package let keychain: Keychain
    /// What it belongs to, which lasts as long as the keychain is current somewhere: the simulated device of a test.
    package let owner: (any AnyObject & Sendable)?

    @TaskLocal fileprivate static var ofTask: CurrentKeychain?
    private static let chosen = Mutex<CurrentKeychain?>(nil)
    private static let watcherOfUnchosen = Mutex<(any KeychainWatcher)?>(nil)

    /// Lets `watcher` know of what is called on a device that is made because none was chosen.
    package static func watchUnchosen(by watcher: any KeychainWatcher) {
        watcherOfUnchosen.withLock { $0 = watcher }
    }

    /// This keychain, which belongs to `owner`.
    package init(_ keychain: Keychain, of owner: (any AnyObject & Sendable)? = nil) {
        self.keychain = keychain
        self.owner = owner
    }

    /// That of the process; nil where none was chosen or needed yet.
    package static var ofProcess: CurrentKeychain? {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// That of this task, or else of the process; nil where neither was chosen.
    package static var known: CurrentKeychain? { ofTask ?? ofProcess }

    /// That of this task, or else of the process: a simulated device in memory unless a program chose another.
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

    /// Runs `body` with this as what is current in the task.
    package func whileCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = Self.$ofTask.withValue(self) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The same for what takes its time.
    package nonisolated(nonsending) func whileCurrent<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$ofTask.withValue(self, operation: body)
    }
}

extension Keychain {
    /// The keychain of this task, or else of the process: a simulated device in memory unless a program chose another.
    public static var current: Keychain {
        get throws(KeychainError) { try CurrentKeychain.now.keychain }
    }

    /// Opens the vault in this folder, and makes it the keychain of the process. It stays locked until somebody unlocks it.
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

    /// Makes this the keychain of the process; nil for a new simulated device once one is needed.
    public static func use(_ keychain: Keychain?) { CurrentKeychain.ofProcess = keychain.map { CurrentKeychain($0) } }

    /// Runs `body` with this as the keychain of the task.
    public func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try CurrentKeychain(self).whileCurrent(body)
    }

    /// The same for what takes its time.
    public nonisolated(nonsending) func asCurrent<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentKeychain(self).whileCurrent(body)
    }
}
