internal import Dispatch
internal import Synchronization

/// Lets one attempt at the passcode go on at a time, among threads and among programs. A program that ends lets go of it, so
/// that an attempt on record under a free lock will never be checked.
final class AttemptLock: Sendable {
    private let inProcess = DispatchSemaphore(value: 1)
    /// Nothing for a vault in memory, and once the vault is closed.
    private let amongPrograms: Mutex<VaultLock?>
    private let patience: Patience
    private let path: String

    /// The lock of a vault in a folder, or in memory.
    init(_ amongPrograms: sending VaultLock?, patience: Patience = Patience(), path: String) {
        self.amongPrograms = Mutex(amongPrograms)
        self.patience = patience
        self.path = path
    }

    func held<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        let wait = DispatchTime.now() + .milliseconds(Int(patience.milliseconds))
        guard inProcess.wait(timeout: wait) == .success else { throw .attemptUnderWay(path) }
        defer { inProcess.signal() }
        let lock = amongPrograms.withLock { $0 }
        do throws(VaultError) { try lock?.acquire() } catch {
            if case .busy = error { throw .attemptUnderWay(path) }
            throw error
        }
        defer { lock?.release() }
        return try body()
    }

    /// Lets go of the file.
    func close() { amongPrograms.withLock { $0 = nil } }
}
