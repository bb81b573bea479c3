internal import Foundation
internal import Synchronization
internal import Testing
internal import XCTest

/// A test that is running.
enum RunningTest {
    /// A test of Swift Testing, which knows its tasks.
    case swiftTesting(Test)
    /// A test of XCTest, which runs alone in its process.
    case xctest(XCTestCase)

    /// The test that this code belongs to; nil if that is unknown.
    static var ofThisTask: RunningTest? {
        if let test = Test.current { return .swiftTesting(test) }
        // A thread may have been started by a test that has ended.
        let isOfTest = Thread.isMainThread || withUnsafeCurrentTask { $0 != nil }
        return isOfTest ? XCTestRun.current.test.map { .xctest($0) } : nil
    }

    /// The name of the test that is running, whatever code this is; nil if there may be several.
    static var name: String? {
        if let test = Test.current { return test.name }
        return XCTestRun.current.test?.name
    }

    /// Fails the test. Returns false if it has ended meanwhile, and cannot fail.
    func fail(because call: StrayCall, _ remedy: String) -> Bool {
        let frames = call.frames()
        let stack = frames.map { "\n\($0.inWords)" }.joined()
        let complaint = "\(call.name) was called without a simulated device. \(remedy)\(stack)"
        switch self {
        case .swiftTesting(let test):
            Issue.record(Comment(rawValue: complaint), sourceLocation: test.sourceLocation)
        case .xctest(let test):
            // XCTest ends the process for a failure of a test that is over.
            if XCTestRun.current.test !== test || test.testRun?.stopDate != nil { return false }
            test.recordFailure(
                withDescription: complaint, inFile: frames.first?.path ?? "<unknown>", atLine: frames.first?.line ?? 0,
                expected: true)
        }
        return true
    }
}

/// An observer of XCTest, which knows the test that is running.
final class XCTestRun: NSObject, XCTestObservation, Sendable {
    static let current = XCTestRun()

    private struct Running: @unchecked Sendable {  // XCTest lets other threads record issues for its test
        var test: XCTestCase?
    }

    private let running = Mutex(Running())

    /// The test that is running; nil if XCTest runs none.
    var test: XCTestCase? { running.withLock { $0 }.test }

    /// A class of tests with devices will create one, so that a call of an earlier test goes astray too.
    func testSuiteWillStart(_ testSuite: XCTestSuite) {
        if testSuite.hasDevices { StrayCalls.noteDevice() }
    }

    func testCaseWillStart(_ testCase: XCTestCase) { set(Running(test: testCase)) }

    func testCaseDidFinish(_ testCase: XCTestCase) { set(Running()) }

    private func set(_ next: Running) { running.withLock { $0 = next } }
}

extension XCTestSuite {
    /// True if it has a test with a simulated device, at any depth.
    fileprivate var hasDevices: Bool {
        tests.contains { $0 is SimulatedDeviceTestCase || ($0 as? XCTestSuite)?.hasDevices == true }
    }
}
