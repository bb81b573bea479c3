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
        /// The calls that no running test can be failed for, such as those before the first device was created. They
        /// fail the process, if it has a device at its end.
        var unclaimed: [StrayCall] = []
        /// The calls that are being recorded, by their numbers. To look up a stack takes long; if the process ends
        /// meanwhile, they fail it.
        var underway: [Int: StrayCall] = [:]
    }

    private static let state = Mutex(State())
    private static let hasDevice = Atomic(false)

    /// The maximum number of calls whose stacks are kept, and of calls that are kept for the end: the earliest ones.
    private static let capacity = 20

    /// True if a simulated device was created in this process, or a class of XCTest that runs will create one.
    static var deviceExists: Bool { hasDevice.load(ordering: .acquiring) }

    /// The number of calls so far.
    static var number: Int { state.withLock { $0.number } }

    /// True if a call without a device is no mistake.
    static var areAllowed: Bool {
        get { state.withLock { $0.areAllowed } }
        set { state.withLock { $0.areAllowed = newValue } }
    }

    static func noteDevice() { hasDevice.store(true, ordering: .releasing) }

    /// The test whose device reaches the whole process. A call of another test goes astray all the same.
    static var ownerOfProcess: Test.ID? {
        get { state.withLock { $0.ownerOfProcess } }
        set { state.withLock { $0.ownerOfProcess = newValue } }
    }

    /// Records a call by this task, which has no device.
    ///
    /// - Parameter ofProcess: The device of the process, which the call uses; nil if none was chosen.
    static func record(_ name: String, using ofProcess: CurrentKeychain?) {
        if ofProcess != nil && !isOfAnotherTest { return }
        var call = StrayCall(name, during: RunningTest.name)
        let test = RunningTest.ofThisTask
        guard let number = begin(call) else { return }
        if number <= capacity {
            call.keepStack()
            state.withLock { [call] in $0.underway[number] = call }
        }
        let failed = deviceExists && test?.fail(because: call, remedy) == true
        state.withLock { [call] state in
            state.underway[number] = nil
            if !failed && state.unclaimed.count < capacity { state.unclaimed.append(call) }
        }
    }

    /// True if the device of the process belongs to one test, and this task to another.
    private static var isOfAnotherTest: Bool {
        guard let owner = ownerOfProcess, case .swiftTesting(let test)? = RunningTest.ofThisTask else { return false }
        return test.id != owner
    }

    /// Returns the number of this call; nil if it is allowed.
    private static func begin(_ call: StrayCall) -> Int? {
        let number: Int? = state.withLock { state in
            if state.areAllowed { return nil }
            state.number += 1
            state.underway[state.number] = call
            return state.number
        }
        if number == 1 { atexit { StrayCalls.endProcess() } }
        return number
    }

    /// If there are calls that no test was failed for, says which, and ends the process with a failure.
    private static func endProcess() {
        let calls = state.withLock { state in
            state.unclaimed + state.underway.sorted { $0.key < $1.key }.map(\.value)
        }
        if calls.isEmpty || !deviceExists { return }
        var text = "These keychain calls had no simulated device, and no test failed for them:\n"
        for call in calls {
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
    _ = StrayCall.images
    CurrentKeychain.reportUnchosen(by: StrayCalls.record)
    XCTestObservationCenter.shared.addTestObserver(XCTestRun.current)
}
