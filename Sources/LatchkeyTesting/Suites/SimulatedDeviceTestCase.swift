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

    /// The tests after which the device is printed: those that failed, unless you choose others.
    ///
    ///     override var log: DeviceLog { .always }
    open var log: DeviceLog { .onFailure }

    /// Runs the test, with `setUp` and `tearDown`, on its device.
    open override func invokeTest() {
        let former = SimulatedDevice.processDefault
        SimulatedDevice.processDefault = device
        defer { SimulatedDevice.processDefault = former }
        Telling.$isSilent.withValue(log == .never) { device.run { super.invokeTest() } }
        let isShown =
            switch log {
            case .onFailure: (testRun?.totalFailureCount ?? 0) > 0
            case .always: true
            case .never: false
            }
        if isShown { device.showLog(under: "The simulated device of the test \(name):") }
    }
}

// XCTest runs each test case on one thread. The conformance is unavailable, so that no code relies on it.
@available(*, unavailable)
extension SimulatedDeviceTestCase: @unchecked Sendable {}  // unavailable; XCTest runs each on one thread
