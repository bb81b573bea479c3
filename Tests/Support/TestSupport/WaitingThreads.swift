internal import Foundation
public import Testing

/// A trait of suites that wait for other processes. It runs their tests on threads of their own.
///
/// The pool of Swift's tasks has one thread for each core. A test that waits for a process would keep one of them from the tests
/// that compute.
public struct WaitingThreads: SuiteTrait, TestScoping {
    fileprivate let waiters: Waiters

    /// Runs `function`, and everything that it starts, on these threads.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(waiters) { try await function() }
    }
}

extension Trait where Self == WaitingThreads {
    /// The trait of a suite whose tests mostly wait for other processes.
    public static var waitsForProcesses: Self { WaitingThreads(waiters: .shared) }

    /// The trait of such a suite whose tests run one after the other. Each of them would queue behind all tests of the other
    /// suites, and most would run when nothing else is left to do.
    public static var waitsInOrder: Self { WaitingThreads(waiters: .inOrder) }
}

/// An executor with threads of its own.
private final class Waiters: TaskExecutor {
    /// Twice as many threads as the machine has cores: they wait more than they compute.
    static let shared = Waiters(threads: 2 * max(2, ProcessInfo.processInfo.activeProcessorCount))
    static let inOrder = Waiters(threads: 2)

    private let jobs = Jobs()

    init(threads: Int) {
        for _ in 0..<threads {
            let thread = Thread { [jobs, self] in
                while true { jobs.next().runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }
}

/// The queue of jobs that no thread has begun.
private final class Jobs: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [UnownedJob] = []

    func add(_ job: UnownedJob) {
        condition.lock()
        waiting.append(job)
        condition.signal()
        condition.unlock()
    }

    func next() -> UnownedJob {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty { condition.wait() }
        return waiting.removeFirst()
    }
}
