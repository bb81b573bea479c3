internal import Foundation
internal import Latchkey
internal import Synchronization
internal import Testing
internal import XCTest

/// The calls for which no device was chosen. In a process with a simulated device, they were most likely meant for it.
enum StrayCalls {
    private struct State {
        var areAllowed = ProcessInfo.processInfo.environment["LATCHKEY_STRAY_CALLS"] == "allowed"
        var number = 0
        /// The test whose device reaches the whole process; nil if none does.
        var ownerOfProcess: Test.ID?
        /// The calls before the first device was created.
        var early: [StrayCall] = []
        /// The calls that no running test can be failed for. They fail the process.
        var unclaimed: [StrayCall] = []
        var failsProcess = false
    }

    private static let state = Mutex(State())
    private static let hasDevice = Atomic(false)

    /// The maximum number of calls whose stacks are kept for the end, the earliest ones.
    private static let capacity = 20

    /// True if a simulated device was created in this process.
    static var deviceExists: Bool { hasDevice.load(ordering: .acquiring) }

    /// The number of calls so far.
    static var number: Int { state.withLock { $0.number } }

    /// True if a call without a device is no mistake.
    static var areAllowed: Bool {
        get { state.withLock { $0.areAllowed } }
        set { state.withLock { $0.areAllowed = newValue } }
    }

    /// The test whose device reaches the whole process. A call of another test goes astray all the same.
    static var ownerOfProcess: Test.ID? {
        get { state.withLock { $0.ownerOfProcess } }
        set { state.withLock { $0.ownerOfProcess = newValue } }
    }

    /// Records that a device exists. Calls that went astray before fail the process.
    static func noteDevice() {
        if hasDevice.exchange(true, ordering: .acquiringAndReleasing) { return }
        let early = state.withLock { state in
            defer { state.early = [] }
            return state.early
        }
        early.forEach(failProcess)
    }

    /// Records a call by this task, which has no device.
    ///
    /// - Parameter ofProcess: The device of the process, which the call uses; nil if none was chosen.
    static func record(_ name: String, using ofProcess: CurrentKeychain?) {
        if ofProcess != nil && !isOfAnotherTest { return }
        let isAllowed = state.withLock { state in
            if !state.areAllowed { state.number += 1 }
            return state.areAllowed
        }
        if isAllowed { return }
        let call = StrayCall(name, during: RunningTest.name)
        if !deviceExists {
            state.withLock { if $0.early.count < capacity { $0.early.append(call) } }
        } else if let test = RunningTest.ofThisTask {
            let frames = call.frames()
            let stack = frames.map { "\n\($0.inWords)" }.joined()
            test.fail(
                because: "\(name) was called without a simulated device. \(remedy)\(stack)", at: frames.first)
        } else {
            failProcess(because: call)
        }
    }

    /// True if the device of the process belongs to one test, and this task to another.
    private static var isOfAnotherTest: Bool {
        guard let owner = ownerOfProcess, case .swiftTesting(let test)? = RunningTest.ofThisTask else { return false }
        return test.id != owner
    }

    private static func failProcess(because call: StrayCall) {
        let isFirst = state.withLock { state in
            if state.unclaimed.count < capacity { state.unclaimed.append(call) }
            defer { state.failsProcess = true }
            return !state.failsProcess
        }
        if isFirst { atexit { StrayCalls.endProcess() } }
    }

    /// Says which calls went astray, and ends the process with a failure.
    private static func endProcess() {
        var text = "These keychain calls had no simulated device, and no test failed for them:\n"
        for call in state.withLock({ $0.unclaimed }) {
            text += "- \(call.name)\(call.test.map { ", while \($0) was running" } ?? "")\n"
            text += call.frames().map { "\($0.inWords)\n" }.joined()
        }
        text += """
            They used a device that all such calls of the process share. \(remedy)
            The code of a detached task has the device of a test with the trait `.device(reach: .process)`.

            """
        FileHandle.standardError.write(Data(text.utf8))
        // GNU's exit runs the remaining handlers, such as the one that writes the coverage, and takes this status.
        exit(EXIT_FAILURE)
    }

    private static let remedy =
        """
        Run the code inside `device.run`, give the test the trait `.device` (in XCTest: inherit from \
        SimulatedDeviceTestCase), or set SimulatedDevice.processDefault.
        """
}

/// Starts to watch, before the first test begins.
@_cdecl("latchkey_testing_loaded") func watchForStrayCalls() {
    CurrentKeychain.reportUnchosen(by: StrayCalls.record)
    XCTestObservationCenter.shared.addTestObserver(XCTestRun.current)
}
