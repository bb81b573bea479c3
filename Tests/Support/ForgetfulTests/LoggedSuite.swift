import LatchkeyTesting
import Testing
import XCTest

/// Tests with a device that fail or pass, for tests of what is printed then.
@Suite(.device) struct LoggedSuite {
    struct Failure: Error {}

    @Test func fails() {
        KeychainCalls.store()
        #expect(Bool(false))
        #expect(Bool(false))
    }

    @Test func passes() { KeychainCalls.store() }

    @Test func failsAsKnown() {
        KeychainCalls.store()
        withKnownIssue { #expect(Bool(false)) }
    }

    @Test func throwsOut() throws {
        KeychainCalls.store()
        #expect(Bool(false))
        throw Failure()
    }

    /// The error is printed with the device before the expectation fails.
    @Test func throwsOutAndFails() throws {
        let device = try #require(SimulatedDevice.current)
        #expect(throws: Never.self) { try device.run { () throws in throw Failure() } }
    }

    @Test(arguments: ["left thumb", "left index", "left ring"]) func failsForSome(_ finger: String) {
        SimulatedDevice.current?.enroll(finger)
        #expect(finger == "left thumb")
    }

    @Test(.device(SimulatedDevice(passcode: nil))) func failsOnTheInnerDevice() { #expect(Bool(false)) }

    /// The suite's device has nothing to do with the error.
    @Test(.device(SimulatedDevice(passcode: nil))) func throwsOutOfTheInnerDevice() throws { throw Failure() }

    @Test(.device(reach: .process)) func failsWithTheProcess() { #expect(Bool(false)) }

    @Test(.device(log: .always)) func passesAloud() { KeychainCalls.store() }

    @Test(.device(log: .never)) func failsSilently() throws {
        #expect(Bool(false))
        throw Failure()
    }
}

class LoggedCase: SimulatedDeviceTestCase {
    struct Failure: Error {}

    func testFails() {
        KeychainCalls.store()
        XCTAssertTrue(false)
        XCTAssertTrue(false)
    }

    func testPasses() { KeychainCalls.store() }

    func testThrows() throws { throw Failure() }

    /// The error is printed with the device before the assertion fails.
    func testThrowsOut() { XCTAssertNoThrow(try device.run { throw Failure() }) }
}

final class AloudCase: LoggedCase {
    override var log: DeviceLog { .always }
}

final class SilentCase: LoggedCase {
    override var log: DeviceLog { .never }
}
