import Foundation
import LatchkeyTesting
import TestSupport
import Testing

/// Tests of tests that forget their device. Each of those runs in a test process of its own.
@Suite struct ForgottenDeviceTests {
    private static let program = Command.built.deletingLastPathComponent().appending(path: "forgetful-tests")

    /// Runs one test of Swift Testing.
    private func run(_ test: String, _ environment: [String: String] = [:]) throws -> (status: Int32, output: String) {
        let run = try Command.run(
            ["--filter", "/\(test)\\("], environment: environment, program: Self.program)
        let output = run.output + run.errors
        #expect(output.contains("Test run with 1 test"), "\(output)")
        return (run.status, output)
    }

    /// Runs tests of XCTest.
    private func runXCTest(_ tests: String...) throws -> (status: Int32, output: String) {
        let run = try Command.run(
            [tests.map { "forgetful_tests.\($0)" }.joined(separator: ",")],
            environment: ["FORGETFUL_LIBRARY": "XCTest"], program: Self.program)
        let output = run.output + run.errors
        #expect(output.contains("Executed \(tests.count) test"), "\(output)")
        return (run.status, output)
    }

    private static let remedy =
        """
        Run the code inside `device.run`, give the test the trait `.device` (in XCTest: inherit from \
        SimulatedDeviceTestCase), or set SimulatedDevice.processDefault.
        """

    @Test(arguments: [
        ("forgets", "SecItemAdd was called"), ("forgetsInATask", "SecItemAdd was called"),
        ("forgetsAnEvaluation", "LAContext.evaluatePolicy was called"),
        ("forgetsADomainState", "LAContext.domainState was called"),
        ("forgetsARight", "LARight.checkCanAuthorize was called"),
        ("forgetsAnEnclaveKey", "SecureEnclave.P256.PrivateKey.init(accessControl:) was called"),
    ])
    func aTestThatForgetsItsDeviceFails(_ test: String, _ call: String) throws {
        let (status, output) = try run(test)
        #expect(status == 1 && output.contains("recorded an issue at ForgetfulSuite.swift:"), "\(output)")
        #expect(output.contains(call) && output.contains(Self.remedy), "\(output)")
        #expect(output.contains("failed after") && output.contains("with 1 issue."), "\(output)")
        #expect(!output.contains("no test failed"), "\(output)")
    }

    @Test func theIssueShowsTheStack() throws {
        let output = try run("forgets").output
        #expect(output.contains("KeychainCalls.store() at "), "\(output)")
        #expect(output.contains("/ForgetfulTests/KeychainCalls.swift:"), "\(output)")
        #expect(output.contains("ForgetfulSuite.forgets() at "), "\(output)")
    }

    /// Its own tests pass, and yet the process fails.
    @Test(arguments: [
        ("forgetsInADetachedTask", ""), ("leavesAThreadBehind", ""),
        ("storesBeforeThereIsADevice", "while storesBeforeThereIsADevice() was running"),
    ])
    func aCallOfNoTestFailsTheProcess(_ test: String, _ text: String) throws {
        let (status, output) = try run(test)
        #expect(status == 1 && output.contains("Test run with 1 test in 1 suite passed"), "\(output)")
        #expect(output.contains("no test failed for them:\n- SecItemAdd"), "\(output)")
        #expect(output.contains("KeychainCalls.store() at ") && output.contains(Self.remedy), "\(output)")
        #expect(text.isEmpty || output.contains(text), "\(output)")
    }

    /// The test of the call has passed, or fails in the last moment.
    @Test func aCallThatIsUnderwayAtTheEndFailsTheProcess() throws {
        let (status, output) = try run("leavesATaskBehind")
        #expect(status == 1 && output.contains("SecItemAdd") && output.contains(Self.remedy), "\(output)")
    }

    /// To look up the stacks of all of them would take minutes.
    @Test func onlyTheFirstIssuesShowTheStack() throws {
        let (status, output) = try run("forgetsOften")
        #expect(status == 1 && output.contains("with 60 issues."))
        let stacks = output.ranges(of: "KeychainCalls.store() at ").count
        #expect(stacks > 0 && stacks <= 20)
    }

    @Test(arguments: ["setsTheDefault", "makesAnAccessControl", "storesWithoutADevice"])
    func aCallThatIsMeantPasses(_ test: String) throws {
        let (status, output) = try run(test)
        #expect(status == 0 && !output.contains("without a simulated device"), "\(output)")
    }

    @Test(arguments: ["forgets", "forgetsInADetachedTask", "storesBeforeThereIsADevice"])
    func straysCanBeAllowed(_ test: String) throws {
        let (status, output) = try run(test, ["LATCHKEY_STRAY_CALLS": "allowed"])
        #expect(status == 0 && !output.contains("without a simulated device"), "\(output)")
    }

    @Test func aSuiteHasTheDeviceThatTheEnvironmentNames() throws {
        let (status, output) = try run("asksItsDevice", ["LATCHKEY_DEVICE": "iPhoneWithFaceID"])
        #expect(status == 0, "\(output)")
        #expect(try run("asksItsDevice", ["LATCHKEY_DEVICE": "mac"]).status == 1)
        #expect(try run("asksItElsewhere").status == 0)
        let unknown = try Command.run(
            ["--filter", "asksItsDevice"], environment: ["LATCHKEY_DEVICE": "iPad", "SWIFT_BACKTRACE": "enable=no"],
            program: Self.program)
        #expect(unknown.status != 0)
        #expect(unknown.errors.contains("LATCHKEY_DEVICE is iPad, which is no device."), "\(unknown.errors)")
    }

    /// A device that reaches the whole process belongs to one test.
    @Test func aTestThatUsesTheDeviceOfAnotherFails() throws {
        let run = try Command.run(["--filter", "SharedSuite"], environment: [:], program: Self.program)
        let output = run.output + run.errors
        #expect(run.status == 1 && output.contains("Test run with 2 tests"), "\(output)")
        #expect(output.contains("forgetsBesideTheOther() recorded an issue"), "\(output)")
        #expect(output.contains("SecItemAdd was called without a simulated device"), "\(output)")
        #expect(output.contains("Test reachesTheProcess() passed"), "\(output)")
    }

    /// A call that took its keychain otherwise would go astray without anyone's notice.
    @Test(arguments: ["Security", "LocalAuthentication", "LatchkeyCryptoKit"])
    func everyCallByAppleSNameSaysItsNameToGetAKeychain(_ module: String) throws {
        let folder = Repository.root.appending(path: "Sources/\(module)")
        var count = 0
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(!text.contains("Keychain.current"), "\(path): write CurrentKeychain.of(call:).keychain")
            count += text.ranges(of: "CurrentKeychain.of(call:").count
        }
        #expect(count > 0)
    }

    /// The page on testing says how a test program gets an identifier.
    @Test func anInfoFileBesideTheProgramNamesItsBundle() throws {
        #expect(try run("showsItsBundle").output.contains("The bundle is unknown."))
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: "tests")
        try TestProgram.copy(Self.program.path, to: copy.path)
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["CFBundleIdentifier": "com.example.notes"], format: .xml, options: 0)
        try info.write(to: folder.url.appending(path: "Info.plist"))
        let run = try Command.run(["--filter", "showsItsBundle"], program: copy)
        #expect(run.status == 0 && run.output.contains("The bundle is com.example.notes."), "\(run.output)")
    }

    // MARK: - XCTest

    @Test(arguments: ["testForgets", "testForgetsInATask"])
    func anXCTestThatForgetsItsDeviceFails(_ test: String) throws {
        let (status, output) = try runXCTest("ForgetfulCase/\(test)")
        #expect(status == 1 && output.contains("Executed 1 test, with 1 failure"), "\(output)")
        #expect(output.contains("KeychainCalls.swift:"), "\(output)")
        #expect(output.contains("error: ForgetfulCase.\(test) : SecItemAdd was called"), "\(output)")
        #expect(output.contains(Self.remedy), "\(output)")
    }

    /// The first device is created by a later class, so the test of the call has ended by then.
    @Test func anXCTestThatForgetsItsDeviceBeforeThereIsOneFails() throws {
        let (status, output) = try runXCTest("FirstCase/testForgetsFirst", "DeviceCase/testAsksItsDevice")
        #expect(status == 1 && output.contains("Executed 2 tests, with 1 failure"), "\(output)")
        #expect(output.contains("error: FirstCase.testForgetsFirst : SecItemAdd was called"), "\(output)")
        #expect(!output.contains("no test failed"), "\(output)")
        #expect(try runXCTest("FirstCase/testForgetsFirst").status == 0, "no class of the process has a device")
    }

    /// XCTest would end the process at once for a failure of a test that is over.
    @Test func aTaskThatOutlivesItsXCTestFailsTheProcess() throws {
        let (status, output) = try runXCTest("ForgetfulCase/testLeavesATaskBehind", "ForgetfulCase/testWaits")
        #expect(status == 1 && output.contains("Executed 2 tests, with 0 failures"), "\(output)")
        #expect(
            output.contains("- SecItemAdd, while ForgetfulCase.testLeavesATaskBehind was running"), "\(output)")
    }

    @Test func aThreadOfAnXCTestFailsTheProcess() throws {
        let (status, output) = try runXCTest("ForgetfulCase/testForgetsOnAThread")
        #expect(status == 1 && output.contains("Executed 1 test, with 0 failures"), "\(output)")
        #expect(
            output.contains("- SecItemAdd, while ForgetfulCase.testForgetsOnAThread was running"), "\(output)")
    }

    @Test(arguments: ["testAsksItsDevice", "testAsksItElsewhere"])
    func aTestCaseHasItsDeviceEverywhere(_ test: String) throws {
        let (status, output) = try runXCTest("DeviceCase/\(test)")
        #expect(status == 0 && output.contains("Executed 1 test, with 0 failures"), "\(output)")
    }
}
