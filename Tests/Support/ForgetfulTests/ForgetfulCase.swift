import LatchkeyTesting
import XCTest

final class ForgetfulCase: XCTestCase {
    let device = SimulatedDevice()

    func testForgets() { KeychainCalls.store() }

    func testForgetsInATask() async { KeychainCalls.store() }

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
