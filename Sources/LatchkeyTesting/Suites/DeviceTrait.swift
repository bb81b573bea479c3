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
            try await ProcessTurns.inTurn {
                let (device, former) = (make(), SimulatedDevice.processDefault)
                let formerOwner = StrayCalls.ownerOfProcess
                SimulatedDevice.processDefault = device
                StrayCalls.ownerOfProcess = test.id
                defer {
                    StrayCalls.ownerOfProcess = formerOwner
                    SimulatedDevice.processDefault = former
                }
                try await device.run { () async throws in try await function() }
            }
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
    private static let shared = ProcessTurns()
    /// True in a test whose turn it is. If its suite has such a device too, it need not wait for that one.
    @TaskLocal private static var isTaken = false

    /// Runs `body` when it is its turn.
    static func inTurn(_ body: @Sendable () async throws -> Void) async throws {
        if isTaken { return try await body() }
        await shared.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await $isTaken.withValue(true) { try await body() }) } catch {
            result = .failure(error)
        }
        await shared.end()
        try result.get()
    }

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private func wait() async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
