public import XCTest

/// A class of tests, each of which runs on a simulated device of its own. The device reaches all code of the process,
/// because XCTest runs one test at a time.
///
///     final class TokenTests: SimulatedDeviceTestCase {
///         override func makeDevice() -> SimulatedDevice { .iPhoneWithFaceID() }
///
///         func testATokenIsKept() throws {
///             try TokenStore().save("s3cret")
///             device.lock()
///         }
///     }
open class SimulatedDeviceTestCase: XCTestCase {
    /// The device of the test.
    public private(set) lazy var device = makeDevice()

    /// Creates the device for a test: the one that `LATCHKEY_DEVICE` names, or else an iPhone with Touch ID.
    open func makeDevice() -> SimulatedDevice { .ofEnvironment() }

    /// Runs the test, with `setUp` and `tearDown`, on its device.
    open override func invokeTest() {
        let former = SimulatedDevice.processDefault
        SimulatedDevice.processDefault = device
        defer { SimulatedDevice.processDefault = former }
        device.run { super.invokeTest() }
    }
}

// XCTest runs each test case on one thread. The conformance is unavailable, so that no code relies on it.
@available(*, unavailable)
extension SimulatedDeviceTestCase: @unchecked Sendable {}  // unavailable; XCTest runs each on one thread
