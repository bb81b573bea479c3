internal import Synchronization
public import UserPresence

// Which keychain code means that names none. Unless a program says otherwise it is a simulated device in memory, so that no
// test and no default can reach anybody's secrets.

extension Keychain {
    @TaskLocal private static var local: Keychain?
    private static let ofProcess = Mutex<Keychain?>(nil)

    /// The keychain of this task, or else of the process: a simulated device in memory unless a program chose another.
    public static var current: Keychain {
        get throws(KeychainError) {
            if let local { return local }
            if let chosen = ofProcess.withLock({ $0 }) { return chosen }
            let made = try Keychain.simulated()
            return ofProcess.withLock { ofProcess in
                if let faster = ofProcess { return faster }
                ofProcess = made
                return made
            }
        }
    }

    /// Opens the vault in this folder, and makes it the keychain of the process. It stays locked until somebody unlocks it.
    @discardableResult
    public static func use(
        vaultAt path: String, judge: (any PasscodeJudge)? = nil, sensor: SensorChoice = .none,
        holder: any Holder = NobodyThere(), requester: Requester = .thisProgram
    ) throws(KeychainError) -> Keychain {
        let keychain = try open(at: path, judge: judge, sensor: sensor, holder: holder, requester: requester)
        use(keychain)
        return keychain
    }

    /// Makes this the keychain of the process; nil for a new simulated device once one is needed.
    public static func use(_ keychain: Keychain?) { ofProcess.withLock { $0 = keychain } }

    /// Runs `body` with this as the keychain of the task.
    public func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = Self.$local.withValue(self) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The same for what takes its time.
    public nonisolated(nonsending) func asCurrent<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$local.withValue(self, operation: body)
    }
}
