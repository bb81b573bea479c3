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
        /// All code of the process, as `process`, while no other test with this trait runs. For tests that observe the
        /// notifications of all devices (`object: nil`). Tests that create a device without the trait still run.
        case alone
    }

    private let reach: Reach
    private let log: DeviceLog
    private let make: @Sendable () -> SimulatedDevice

    init(_ reach: Reach, _ log: DeviceLog, _ make: @escaping @Sendable () -> SimulatedDevice) {
        self.reach = reach
        self.log = log
        self.make = make
    }

    /// True: a suite gives the trait to all its tests.
    public var isRecursive: Bool { true }

    /// Runs a test on a new device.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await DeviceTurns.inTurn(reach) {
            switch reach {
            case .test: try await run(function, of: test, testCase, on: make())
            case .process, .alone:
                let (device, former) = (make(), SimulatedDevice.processDefault)
                let formerOwner = StrayCalls.ownerOfProcess
                SimulatedDevice.processDefault = device
                StrayCalls.ownerOfProcess = test.id
                defer {
                    StrayCalls.ownerOfProcess = formerOwner
                    SimulatedDevice.processDefault = former
                }
                try await run(function, of: test, testCase, on: device)
            }
        }
    }

    private func run(
        _ function: @Sendable () async throws -> Void, of test: Test, _ testCase: Test.Case?, on device: SimulatedDevice
    ) async throws {
        try await IssueWatch().run(function, of: test, testCase, on: device, log: log)
    }
}

extension Trait where Self == DeviceTrait {
    /// A trait that runs each test on a new device: the one that `LATCHKEY_DEVICE` names, or else an iPhone with Touch
    /// ID. If the test fails, the device is printed.
    public static var device: Self { .device() }

    /// A trait that runs each test on a new device of this reach: the one that `LATCHKEY_DEVICE` names, or else an iPhone
    /// with Touch ID. `log` chooses the tests after which the device is printed.
    ///
    ///     @Suite(.device(log: .always)) struct SessionTests { … }
    public static func device(reach: DeviceTrait.Reach = .test, log: DeviceLog = .onFailure) -> Self {
        DeviceTrait(reach, log, SimulatedDevice.ofEnvironment)
    }

    /// A trait that runs each test on a device that `make` creates for it.
    ///
    ///     @Test(.device(SimulatedDevice(passcode: nil))) func withoutAPasscodeThereIsNoToken() { … }
    public static func device(
        _ make: @autoclosure @escaping @Sendable () -> SimulatedDevice, reach: DeviceTrait.Reach = .test,
        log: DeviceLog = .onFailure
    ) -> Self {
        DeviceTrait(reach, log, make)
    }
}

/// The turns of tests with a device: one alone, or one that reaches the process and any number of others together.
private actor DeviceTurns {
    private static let shared = DeviceTurns()
    /// The reach with which it is the turn of this test, or of its suite.
    @TaskLocal private static var taken: DeviceTrait.Reach?

    /// Runs `body` when it is its turn.
    ///
    /// If the suite of a test has a turn too, the test uses that one. If it needs more than its suite, it gives the turn of
    /// the suite back for the time, so that no two tests wait for each other.
    static func inTurn(_ reach: DeviceTrait.Reach, _ body: @Sendable () async throws -> Void) async throws {
        let former = taken
        if let former, former.includes(reach) { return try await body() }
        if let former { await shared.end(former) }
        await shared.wait(reach)
        let result: Result<Void, any Error>
        do { result = .success(try await $taken.withValue(reach) { try await body() }) } catch {
            result = .failure(error)
        }
        await shared.end(reach)
        if let former { await shared.wait(former) }
        try result.get()
    }

    private var running: [DeviceTrait.Reach: Int] = [:]
    private var waiting: [(reach: DeviceTrait.Reach, CheckedContinuation<Void, Never>)] = []

    private func wait(_ reach: DeviceTrait.Reach) async {
        // A test that waits to be alone goes before later ones. Otherwise it might wait for ever.
        if !waiting.contains(where: { $0.reach == .alone }), mayRun(reach) {
            running[reach, default: 0] += 1
            return
        }
        await withCheckedContinuation { waiting.append((reach, $0)) }
    }

    private func end(_ reach: DeviceTrait.Reach) {
        running[reach, default: 0] -= 1
        var place = 0
        while place < waiting.count {
            let next = waiting[place].reach
            if mayRun(next) {
                running[next, default: 0] += 1
                waiting.remove(at: place).1.resume()
            } else if next == .alone {
                return
            } else {
                place += 1
            }
        }
    }

    private func mayRun(_ reach: DeviceTrait.Reach) -> Bool {
        let (tests, process, alone) = (running[.test] ?? 0, running[.process] ?? 0, running[.alone] ?? 0)
        return switch reach {
        case .test: alone == 0
        case .process: alone == 0 && process == 0
        case .alone: alone == 0 && process == 0 && tests == 0
        }
    }
}

extension DeviceTrait.Reach {
    /// Returns true if a test that has this turn needs no other one for `reach`.
    fileprivate func includes(_ reach: DeviceTrait.Reach) -> Bool {
        switch self {
        case .test: reach == .test
        case .process: reach != .alone
        case .alone: true
        }
    }
}
