public import Testing

/// A trait that runs each test on a simulated device of its own.
///
///     @Suite(.device(.iPhoneWithFaceID())) struct TokenTests {
///         @Test func aTokenIsKept() throws {
///             try TokenStore().save("s3cret")
///             SimulatedDevice.current?.lock()
///         }
///     }
public struct DeviceTrait: SuiteTrait, TestTrait, TestScoping {
    /// The code that the device reaches.
    public enum Reach: Hashable, Sendable {
        /// The test's task, its children, and the queues and threads that they use. Such tests run in parallel.
        case test
        /// All code of the process that has no device of its own, such as a detached task. Only one such test runs at
        /// a time.
        case process
    }

    private let reach: Reach
    private let make: @Sendable () -> SimulatedDevice

    init(_ reach: Reach, _ make: @escaping @Sendable () -> SimulatedDevice) {
        self.reach = reach
        self.make = make
    }

    /// True: a suite gives the trait to all its tests.
    public var isRecursive: Bool { true }

    /// Runs a test on a new device.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        switch reach {
        case .test: try await make().run { () async throws in try await function() }
        case .process:
            await ProcessTurns.shared.wait()
            let device = make()
            SimulatedDevice.processDefault = device
            StrayCalls.ownerOfProcess = test.id
            let result: Result<Void, any Error>
            do { result = .success(try await device.run { () async throws in try await function() }) } catch {
                result = .failure(error)
            }
            StrayCalls.ownerOfProcess = nil
            SimulatedDevice.processDefault = nil
            await ProcessTurns.shared.end()
            try result.get()
        }
    }
}

extension Trait where Self == DeviceTrait {
    /// A trait that runs each test on a new device: the one that `LATCHKEY_DEVICE` names, or else an iPhone with Touch
    /// ID.
    public static var device: Self { DeviceTrait(.test, SimulatedDevice.ofEnvironment) }

    /// A trait that runs each test on a new device of this reach: the one that `LATCHKEY_DEVICE` names, or else an iPhone
    /// with Touch ID.
    public static func device(reach: DeviceTrait.Reach) -> Self { DeviceTrait(reach, SimulatedDevice.ofEnvironment) }

    /// A trait that runs each test on a device that `make` creates for it.
    ///
    ///     @Test(.device(SimulatedDevice(passcode: nil))) func withoutAPasscodeThereIsNoToken() { … }
    public static func device(
        _ make: @autoclosure @escaping @Sendable () -> SimulatedDevice, reach: DeviceTrait.Reach = .test
    ) -> Self {
        DeviceTrait(reach, make)
    }
}

/// The turns of tests whose devices reach the whole process.
private actor ProcessTurns {
    static let shared = ProcessTurns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
