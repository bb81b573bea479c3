import LatchkeyTesting
import XCTest

/// A class that creates no device.
final class FirstCase: XCTestCase {
    func testForgetsFirst() { KeychainCalls.store() }
}

final class ForgetfulCase: XCTestCase {
    let device = SimulatedDevice()

    func testForgets() { KeychainCalls.store() }

    func testForgetsInATask() async { KeychainCalls.store() }

    /// The test ends while the call is recorded.
    func testLeavesATaskBehind() {
        Task.detached { KeychainCalls.store() }
        while !"\(device)".contains("none was chosen: 1") { usleep(1000) }
    }

    /// Meanwhile, the call of the test before is recorded.
    func testWaits() { Thread.sleep(forTimeInterval: 1) }

    func testForgetsOnAThread() { KeychainCalls.storeOnAThread() }
}

final class DeviceCase: SimulatedDeviceTestCase {
    func testAsksItsDevice() {
        KeychainCalls.store()
        KeychainCalls.storeOnAThread()
        XCTAssertEqual(device.world.items.count, 2)
    }

    func testAsksItElsewhere() async {
        KeychainCalls.store()
        await KeychainCalls.storeInADetachedTask()
        XCTAssertEqual(device.world.items.count, 2)
    }
}
