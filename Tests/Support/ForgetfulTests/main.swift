import Foundation
import LatchkeyTesting
import Testing
import XCTest

// A test process for tests of what happens when a test forgets its device. Each test here is run alone, in a process of
// its own: `forgetful-tests --filter <name>`, or with FORGETFUL_LIBRARY=XCTest `forgetful-tests <class>/<name>`.

if ProcessInfo.processInfo.environment["FORGETFUL_LIBRARY"] == "XCTest" {
    XCTMain([
        testCase([
            ("testForgets", ForgetfulCase.testForgets), ("testForgetsOnAThread", ForgetfulCase.testForgetsOnAThread),
            ("testLeavesATaskBehind", ForgetfulCase.testLeavesATaskBehind), ("testWaits", ForgetfulCase.testWaits),
            ("testForgetsInATask", asyncTest(ForgetfulCase.testForgetsInATask)),
        ]),
        testCase([
            ("testAsksItsDevice", DeviceCase.testAsksItsDevice),
            ("testAsksItElsewhere", asyncTest(DeviceCase.testAsksItElsewhere)),
        ]),
    ])
} else {
    await Testing.__swiftPMEntryPoint() as Never
}
