import Dispatch
import LinuxSystem
import Synchronization
import Testing

/// The lock that a running thread may take ahead of waiting ones.
@Suite struct BargingLockTests {
    @Test func noTwoThreadsHoldIt() {
        let lock = BargingLock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock { $0 } == 80_000)
    }

    @Test func aHeldLockIsNotAvailable() {
        let lock = BargingLock("")
        lock.withLock { text in
            text += "held"
            let isTaken = Atomic(false)
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                if lock.withLockIfAvailable({ _ in true }) == true { isTaken.store(true, ordering: .relaxed) }
                isDone.signal()
            }
            isDone.wait()
            let wasTaken = isTaken.load(ordering: .relaxed)
            #expect(!wasTaken)
        }
        #expect(lock.withLockIfAvailable { $0 } == "held")
    }

    @Test func anErrorGivesItBack() {
        struct Failure: Error {}
        let lock = BargingLock(1)
        #expect(throws: Failure.self) { try lock.withLock { _ throws(Failure) in throw Failure() } }
        #expect(lock.withLockIfAvailable { $0 } == 1)
    }

    @Test func itsValueEndsWithIt() {
        final class Value: Sendable {}
        weak var value: Value?
        do {
            let lock = BargingLock(Value())
            value = lock.withLock { $0 }
            #expect(value != nil)
        }
        #expect(value == nil)
    }

    @Test func aThreadThatTakesItTwiceEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let lock = BargingLock(0)
            lock.withLock { _ in lock.withLock { $0 += 1 } }
        }
    }
}
