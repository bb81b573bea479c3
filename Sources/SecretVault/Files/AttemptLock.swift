internal import Dispatch

/// Lets one attempt at the passcode go on at a time, among threads and among programs. A program that ends lets go of it, so
/// that an attempt on record under a lock that nobody holds is one that nobody will judge any more.
final class AttemptLock: @unchecked Sendable {  // what it guards is used by whoever holds the semaphore
    private let inProcess = DispatchSemaphore(value: 1)
    private let amongPrograms: VaultLock?
    private let patience: Patience
    private let path: String

    /// The lock of a vault in a folder, or in memory.
    init(_ amongPrograms: VaultLock?, patience: Patience = Patience(), path: String) {
        self.amongPrograms = amongPrograms
        self.patience = patience
        self.path = path
    }

    func held<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        let wait = DispatchTime.now() + .milliseconds(Int(patience.milliseconds))
        guard inProcess.wait(timeout: wait) == .success else { throw .busy(path) }
        defer { inProcess.signal() }
        try amongPrograms?.acquire()
        defer { amongPrograms?.release() }
        return try body()
    }
}
