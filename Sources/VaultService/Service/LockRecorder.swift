internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import Synchronization

/// Records that the vault was locked, on a thread of its own: a lock waits for no file and no disk.
final class LockRecorder: Sendable {
    /// The state of the record when the lock is answered.
    enum Outcome: Sendable {
        /// The record is made, or the vault writes it within a second.
        case made
        /// Another program, or a request under way, holds the vault. The record follows.
        case waiting
        /// The record cannot be made. The vault has closed itself.
        case failed(AgentError)
    }

    private let rounds: Worker
    private let latest: Latest

    private final class Latest: Sendable {
        let outcome = Mutex(Outcome.made)
    }

    /// The time that the answer to a lock waits for the record, in milliseconds. A vault that is free takes less, unless its
    /// audit log is durable and the disk is slow.
    private static let patience = 25

    /// Starts the thread. Throws if the system has none left.
    init(_ keychain: Keychain) throws(AgentError) {
        let latest = Latest()
        self.latest = latest
        rounds = try Worker.repeating {
            let outcome: Outcome
            do throws(KeychainError) {
                outcome = try keychain.finishLock().isWaiting ? .waiting : .made
            } catch {
                outcome = .failed(AgentError(error))
            }
            latest.outcome.withLock { $0 = outcome }
            return nil
        }
    }

    /// Requests the record, and waits for nothing.
    func want() { rounds.want() }

    /// Requests the record, and returns what is known of it a moment later.
    func record() -> Outcome {
        rounds.settle(upTo: Self.patience) ? latest.outcome.withLock { $0 } : .waiting
    }
}
