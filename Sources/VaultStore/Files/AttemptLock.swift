internal import Dispatch
internal import Synchronization

/// The lock that lets threads and programs check one passcode at a time. A program that ends releases it, so an attempt
/// that is on record while the lock is free will never be checked.
package final class AttemptLock: Sendable {
    private let inProcess = DispatchSemaphore(value: 1)
    /// The lock between programs; nil for a vault in memory, and once the vault is closed.
    private let amongPrograms: Mutex<VaultLock?>
    private let patience: Patience
    private let path: String

    /// Creates the lock of a vault. A vault in memory needs none between programs.
    package init(_ amongPrograms: sending VaultLock?, patience: Patience = Patience(), path: String) {
        self.amongPrograms = Mutex(amongPrograms)
        self.patience = patience
        self.path = path
    }

    /// Holds the lock while `body` runs.
    ///
    /// - Throws: ``VaultError/attemptUnderWay(_:)`` if another attempt outlasts the patience.
    package func held<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
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

    package func close() { amongPrograms.withLock { $0 = nil } }
}
