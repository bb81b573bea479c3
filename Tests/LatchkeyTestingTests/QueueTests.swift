import Dispatch
import Foundation
import LatchkeyTesting
import Security
import Synchronization
import TestSupport
import Testing

/// Work that is started inside `run` on a queue or a thread keeps the device.
@Suite(.enabled(if: CarriedWork.isPossible, "skipped: the thread sanitizer has its own functions for queues"))
struct QueueTests {
    /// A way to start work on another thread.
    enum Way: CaseIterable {
        case async, asyncWithQuality, asyncWorkItem, barrier, barrierWithQuality, after, afterWithQuality, group
        case groupNotify, workItemNotify, workItem, mainAsync, sync, mainSync, barrierSync, concurrently
        case operation, operationOfAClass, operationAfterAnother, operationBarrier, mainOperation, completion
        case timer, timerWithQuality, registration, cancellation, thread, threadOfAClass

        func start(_ work: @escaping @Sendable () -> Void) {
            let queue = DispatchQueue(label: "a queue", attributes: .concurrent)
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 1
            switch self {
            case .async: queue.async(execute: work)
            case .asyncWithQuality: queue.async(qos: .utility, execute: work)
            case .asyncWorkItem: queue.async(execute: DispatchWorkItem(block: work))
            case .barrier: queue.async(flags: .barrier, execute: work)
            case .barrierWithQuality: queue.async(qos: .background, flags: .barrier, execute: work)
            case .after: queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: work)
            case .afterWithQuality: queue.asyncAfter(deadline: .now() + .milliseconds(1), qos: .utility, execute: work)
            case .group: queue.async(group: DispatchGroup(), execute: work)
            case .groupNotify: DispatchGroup().notify(queue: queue, execute: work)
            case .workItemNotify:
                let item = DispatchWorkItem {}
                item.notify(queue: queue, execute: work)
                queue.async(execute: item)
            case .workItem:
                // An item keeps the device of the place where it was created.
                let item = DispatchWorkItem(block: work)
                SimulatedDevice().run { queue.async(execute: item) }
            case .mainAsync: DispatchQueue.main.async(execute: work)
            case .sync: queue.sync(execute: work)
            case .mainSync: queue.async { DispatchQueue.main.sync(execute: work) }
            case .barrierSync: queue.sync(flags: .barrier, execute: work)
            case .concurrently:
                let isFirst = Atomic(true)
                DispatchQueue.concurrentPerform(iterations: 64) { _ in
                    #expect(SimulatedDevice.current != nil)
                    if isFirst.exchange(false, ordering: .relaxed) { work() }
                }
            case .operation: operations.addOperation(work)
            case .operationOfAClass: operations.addOperation(BlockOperation(block: work))
            case .operationAfterAnother:
                // One operation runs at a time, so the thread of the first one starts the second.
                SimulatedDevice().run { operations.addOperation { usleep(2000) } }
                operations.addOperation(work)
            case .operationBarrier:
                SimulatedDevice().run { operations.addOperation { usleep(2000) } }
                operations.addBarrierBlock(work)
            case .mainOperation: OperationQueue.main.addOperation(work)
            case .completion:
                let operation = BlockOperation {}
                operation.completionBlock = work
                operations.addOperation(operation)
            case .timer:
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.setEventHandler {
                    timer.cancel()
                    work()
                }
                timer.schedule(deadline: .now())
                timer.activate()
            case .timerWithQuality:
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.setEventHandler(qos: .utility, flags: []) {
                    timer.cancel()
                    work()
                }
                timer.schedule(deadline: .now())
                timer.activate()
            case .registration:
                let source = DispatchSource.makeUserDataAddSource(queue: queue)
                source.setRegistrationHandler {
                    source.cancel()
                    work()
                }
                source.activate()
            case .cancellation:
                let source = DispatchSource.makeUserDataAddSource(queue: queue)
                source.setCancelHandler(handler: work)
                source.activate()
                source.cancel()
            case .thread: Thread.detachNewThread(work)
            case .threadOfAClass: Thread(block: work).start()
            }
        }
    }

    @Test(arguments: Way.allCases) func theDeviceGoesAlong(_ way: Way) async throws {
        let device = SimulatedDevice()
        let (isCurrent, status, ofTask) = await device.run {
            await withCheckedContinuation { continuation in
                way.start {
                    try? TokenStore().save("s3cret", flags: [])
                    let (isCurrent, status) = (SimulatedDevice.current === device, TokenStore().status())
                    // From there, it goes on to tasks.
                    Task { continuation.resume(returning: (isCurrent, status, SimulatedDevice.current === device)) }
                }
            }
        }
        #expect(isCurrent && status == errSecSuccess && ofTask)
        #expect(device.world.items.count == 1)
    }

    @Test func aBlockOnAQueueKeepsItLonger() async {
        let device = SimulatedDevice()
        let queue = DispatchQueue(label: "a queue")
        queue.suspend()
        let isCurrent = await withCheckedContinuation { continuation in
            device.run { queue.async { continuation.resume(returning: SimulatedDevice.current === device) } }
            queue.resume()
        }
        #expect(isCurrent)
    }

    @Test func aWorkItemCanStillBeCanceledAndAwaited() {
        SimulatedDevice().run {
            let count = Atomic(0)
            let queue = DispatchQueue(label: "a queue")
            let item = DispatchWorkItem { count.add(1, ordering: .relaxed) }
            queue.async(execute: item)
            item.wait()
            #expect(count.load(ordering: .relaxed) == 1)
            let canceled = DispatchWorkItem { count.add(1, ordering: .relaxed) }
            queue.suspend()
            queue.async(execute: canceled)
            canceled.cancel()
            queue.resume()
            queue.sync {}
            #expect(canceled.isCancelled && count.load(ordering: .relaxed) == 1)
            let third = DispatchWorkItem { count.add(1, ordering: .relaxed) }
            third.perform()
            #expect(count.load(ordering: .relaxed) == 2)
        }
    }

    /// What makes a work item a barrier lies in its block, which the queue must receive as it is.
    @Test(arguments: [false, true])
    func aWorkItemIsStillABarrier(_ enforcesQuality: Bool) async {
        let ranBeside = await SimulatedDevice().run {
            await withCheckedContinuation { continuation in
                let queue = DispatchQueue(label: "a queue", attributes: .concurrent)
                let (hasBegun, barrier) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                queue.async {
                    hasBegun.signal()
                    continuation.resume(returning: barrier.wait(timeout: .now() + .milliseconds(300)) == .success)
                }
                hasBegun.wait()
                queue.async(qos: .utility, flags: enforcesQuality ? [.barrier, .enforceQoS] : .barrier) {
                    barrier.signal()
                }
            }
        }
        #expect(!ranBeside)
    }

    @Test func syncGivesBackWhatTheWorkGives() throws {
        struct Thrown: Error {}
        let device = SimulatedDevice()
        device.run {
            let queue = DispatchQueue(label: "a queue", attributes: .concurrent)
            #expect(queue.sync { SimulatedDevice.current } === device)
            #expect(queue.sync(flags: .barrier) { 7 } == 7)
            #expect(throws: Thrown.self) { try queue.sync { throw Thrown() } }
        }
    }

    /// Many tests at once share queues, and each keeps its device.
    @Test func devicesOnSharedQueuesDoNotMeddle() async {
        let queue = DispatchQueue(label: "shared")
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 2
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let device = SimulatedDevice()
                    return await device.run {
                        await withCheckedContinuation { continuation in
                            let work: @Sendable () -> Void = {
                                queue.async { continuation.resume(returning: SimulatedDevice.current === device) }
                            }
                            if number.isMultiple(of: 2) { operations.addOperation(work) } else { work() }
                        }
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    /// No other suite sets a default for the process meanwhile.
    @Suite(.serialized, .setsTheProcess) struct WithoutADefault {
        @Test(arguments: Way.allCases) func withoutADeviceThereIsNone(_ way: Way) async throws {
            _ = SimulatedDevice()
            if way == .concurrently { return }  // Its work expects a device.
            let hasNone = await withCheckedContinuation { continuation in
                way.start { continuation.resume(returning: SimulatedDevice.current == nil) }
            }
            #expect(hasNone)
        }

        @Test func aDetachedTaskLeavesTheDevice() async {
            await SimulatedDevice().run {
                #expect(await Task.detached { SimulatedDevice.current == nil }.value)
            }
        }

        /// Threads often outlive the test that starts them, and serve the next one.
        @Test func aThreadLosesTheDeviceWhenTheRunEnds() async {
            let (go, device) = (DispatchSemaphore(value: 0), SimulatedDevice())
            let answers = AsyncStream<Bool>.makeStream()
            device.run {
                Thread.detachNewThread {
                    answers.continuation.yield(SimulatedDevice.current === device)
                    go.wait()
                    answers.continuation.yield(SimulatedDevice.current == nil)
                }
            }
            var isRight = answers.stream.makeAsyncIterator()
            _ = await isRight.next()
            go.signal()
            #expect(await isRight.next() == true)
        }
    }
}
