import Foundation
import LatchkeyTesting
import Testing
import XCTest

// A test process for tests of what happens when a test forgets its device. Each test here is run alone, in a process of
// its own: `forgetful-tests --filter <name>`, or with FORGETFUL_LIBRARY=XCTest `forgetful-tests <class>/<name>`.

if ProcessInfo.processInfo.environment["FORGETFUL_LIBRARY"] == "XCTest" {
    XCTMain([
        testCase([("testForgetsFirst", FirstCase.testForgetsFirst)]),
        testCase([
            ("testForgets", ForgetfulCase.testForgets), ("testForgetsOnAThread", ForgetfulCase.testForgetsOnAThread),
            ("testLeavesATaskBehind", ForgetfulCase.testLeavesATaskBehind), ("testWaits", ForgetfulCase.testWaits),
            ("testForgetsInATask", asyncTest(ForgetfulCase.testForgetsInATask)),
        ]),
        testCase([
            ("testAsksItsDevice", DeviceCase.testAsksItsDevice),
            ("testAsksItElsewhere", asyncTest(DeviceCase.testAsksItElsewhere)),
        ]),
        testCase([
            ("testFails", LoggedCase.testFails), ("testPasses", LoggedCase.testPasses),
            ("testThrows", LoggedCase.testThrows), ("testThrowsOut", LoggedCase.testThrowsOut),
        ]),
        testCase([("testPasses", AloudCase.testPasses)]),
        testCase([("testFails", SilentCase.testFails), ("testThrowsOut", SilentCase.testThrowsOut)]),
    ])
} else {
    await Testing.__swiftPMEntryPoint() as Never
}
