internal import CSandbox
internal import Dispatch
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The thread that starts a sandbox, and lives as long as it.
///
/// A session keyring belongs to a thread, and so does the tie of a child to its parent: bwrap ends when the thread ends that started
/// it.
final class Keeper: Sendable {
    /// The work of the thread, which outlives the object.
    private final class Work: Sendable {
        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let wish = DispatchSemaphore(value: 0)

        func add(_ job: (@Sendable () -> Void)?) {
            if let job { jobs.withLock { $0.append(job) } }
            wish.signal()
        }

        /// Does what is added, until that is nothing.
        func doAll() {
            while true {
                wish.wait()
                guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                job()
            }
        }
    }

    private let work = Work()

    /// Starts a thread with a new session keyring.
    init() throws(SandboxError) {
        guard Supervisor.detach({ [work] in work.doAll() }) else {
            throw .system("have a thread", SystemError(EAGAIN))
        }
        let code = run { latchkey_join_new_keyring() }
        guard code == 0 else { throw .system("have a session keyring of its own", SystemError(code)) }
    }

    /// The thread ends after the jobs that it has.
    deinit { work.add(nil) }

    /// Runs `body` on the thread, and waits for it.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let result = Carrier<Value>()
        let done = Signal()
        work.add {
            result.fill(body())
            done.give()
        }
        done.wait()
        guard let value = result.take() else { fatalError("the job fills it before its signal") }
        return value
    }
}
