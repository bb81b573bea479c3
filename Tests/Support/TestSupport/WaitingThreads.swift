internal import Foundation
public import Testing

/// A trait of suites that wait for other processes. It runs their tests on threads of their own.
///
/// The pool of Swift's tasks has one thread for each core. A test that waits for a process would keep one of them from the tests
/// that compute.
public struct WaitingThreads: SuiteTrait, TestScoping {
    /// Runs `function`, and everything that it starts, on these threads.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Waiters.shared) { try await function() }
    }
}

extension Trait where Self == WaitingThreads {
    /// The trait of a suite whose tests mostly wait for other processes.
    public static var waitsForProcesses: Self { WaitingThreads() }
}

/// An executor with twice as many threads as the machine has cores: they wait more than they compute.
private final class Waiters: TaskExecutor {
    static let shared = Waiters(count: ProcessInfo.processInfo.activeProcessorCount)

    private let jobs = Jobs()

    init(count: Int) {
        for _ in 0..<2 * max(2, count) {
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
