import Foundation
import TestSupport
import Testing

/// Tests of the device that is printed with a test. Each test that is run here is in a process of its own.
@Suite struct DeviceLogTests {
    private static let program = Command.built.deletingLastPathComponent().appending(path: "forgetful-tests")

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> (
        status: Int32, text: String
    ) {
        let run = try Command.run(arguments, environment: environment, program: Self.program)
        return (run.status, run.output + run.errors)
    }

    /// The tests, the number of times that each prints its device, and of errors that it prints with one.
    @Test(arguments: [
        ("fails", false, 1, 0), ("passes", true, 0, 0), ("failsAsKnown", true, 0, 0), ("throwsOut", false, 0, 1),
        ("throwsOutAndFails", false, 0, 1), ("failsForSome", false, 2, 0), ("failsOnTheInnerDevice", false, 1, 0),
        ("throwsOutOfTheInnerDevice", false, 0, 1), ("failsWithTheProcess", false, 1, 0), ("passesAloud", true, 1, 0),
        ("failsSilently", false, 0, 0),
    ])
    func aTestThatFailsShowsItsDeviceOnce(_ test: String, _ passes: Bool, _ logs: Int, _ errors: Int) throws {
        let (status, text) = try run("--filter", "LoggedSuite/\(test)\\(")
        #expect((status == 0) == passes && text.contains("Test run with 1 test"), "\(text)")
        #expect(text.ranges(of: "The simulated device of the test \(test)(").count == logs, "\(text)")
        #expect(text.ranges(of: "Failure() was thrown out of a simulated device.").count == errors, "\(text)")
        #expect(text.ranges(of: "\nunlocked; ").count == logs + errors, "\(text)")
    }

    @Test func theLogHasTheCallsAndTheStates() throws {
        let (_, text) = try run("--filter", "LoggedSuite/fails\\(")
        #expect(text.contains("unlocked; passcode; enrolled: right index; 1 items"), "\(text)")
        #expect(text.contains("SecItemAdd genp"), "\(text)")
    }

    /// Each case of a parameterized test has its own device, and its own log.
    @Test func aCaseThatFailsShowsItsOwnDevice() throws {
        let (_, text) = try run("--filter", "LoggedSuite/failsForSome\\(")
        let shown = ["left thumb", "left index", "left ring"].map { text.contains("enrolled: right index, \($0);") }
        #expect(shown == [false, true, true], "\(text)")
    }

    @Test func theInnermostDeviceIsShown() throws {
        let (_, text) = try run("--filter", "LoggedSuite/failsOnTheInnerDevice\\(")
        #expect(text.contains("unlocked; no passcode"), "\(text)")
    }

    @Test(arguments: [
        ("LoggedCase/testFails", false, 1, 0), ("LoggedCase/testPasses", true, 0, 0),
        ("LoggedCase/testThrows", false, 1, 0), ("LoggedCase/testThrowsOut", false, 0, 1),
        ("AloudCase/testPasses", true, 1, 0), ("SilentCase/testFails", false, 0, 0),
        ("SilentCase/testThrowsOut", false, 0, 0),
    ])
    func anXCTestThatFailsShowsItsDeviceOnce(_ test: String, _ passes: Bool, _ logs: Int, _ errors: Int) throws {
        let (status, text) = try run("forgetful_tests.\(test)", environment: ["FORGETFUL_LIBRARY": "XCTest"])
        #expect((status == 0) == passes && text.contains("Executed 1 test"), "\(text)")
        let name = test.replacing("/", with: ".")
        #expect(text.ranges(of: "The simulated device of the test \(name):").count == logs, "\(text)")
        #expect(text.ranges(of: "Failure() was thrown out of a simulated device.").count == errors, "\(text)")
        #expect(text.ranges(of: "\nunlocked; ").count == logs + errors, "\(text)")
    }
}
