internal import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// The login passwords that the module for PAM has passed on, and that are still to be checked. A thread of its own checks
/// them, so that no login waits for it.
///
/// They come from any program of the user, and so each one is checked like one that was typed: by PAM and by the keys. A
/// wrong one counts, and a right one is no authentication for any secret.
final class LoginPasswords: Sendable {
    /// A password that was passed on.
    enum Job: Sendable {
        /// Unlocks the vault, unless a lock comes first.
        case unlock(Carrier<SecureBytes>, PromptTicket)
        /// Replaces the passcode of the vault, which unlocks it, unless a lock comes first.
        case follow(old: Carrier<SecureBytes>, new: Carrier<SecureBytes>, PromptTicket)
    }

    private let waiting: SharedJobs
    private let checking: Worker

    /// The number of jobs that may wait.
    private static let most = 4

    /// Starts the thread. Throws if the system has none left.
    ///
    /// - Parameters:
    ///   - keychain: The keychain that checks them.
    ///   - follow: Is called after each job, which may have unlocked the vault.
    init(_ keychain: Keychain, following follow: @escaping @Sendable () -> Void) throws(AgentError) {
        let waiting = SharedJobs()
        self.waiting = waiting
        checking = try Worker.doing {
            while let job = waiting.next() {
                Self.carryOut(job, on: keychain)
                follow()
            }
        }
    }

    /// Adds a job. Returns false if too many wait.
    func add(_ job: Job) -> Bool {
        guard waiting.add(job, atMost: Self.most) else { return false }
        checking.want()
        return true
    }

    private static func carryOut(_ job: Job, on keychain: Keychain) {
        switch job {
        case .unlock(let password, let ticket):
            // If this fails, the vault stays locked, and its owner is prompted as ever. The log says why.
            if let password = password.take() { _ = try? keychain.unlockAtLogin(password, at: ticket) }
        case .follow(let old, let new, let ticket):
            // If this fails, the next prompt asks for the former passcode.
            if let old = old.take(), let new = new.take() {
                _ = try? keychain.followLogin(from: old, to: new, at: ticket)
            }
        }
    }

    /// The jobs that wait, in their order.
    private final class SharedJobs: Sendable {
        private let jobs = Mutex<[Job]>([])

        func add(_ job: Job, atMost most: Int) -> Bool {
            jobs.withLock { jobs in
                guard jobs.count < most else { return false }
                jobs.append(job)
                return true
            }
        }

        func next() -> Job? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }
}
