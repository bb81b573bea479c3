import Foundation
import LatchkeyTesting
import LocalAuthentication
import Synchronization
import Testing

/// Semantics 6.7: the environment of the current user.
@Suite struct EnvironmentTests {
    /// A history of a device, after which its environment is compared with what a context says.
    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> SimulatedDevice
        let events: @Sendable (SimulatedDevice) -> Void

        init(
            _ words: String, _ make: @autoclosure @escaping @Sendable () -> SimulatedDevice = SimulatedDevice(),
            _ events: @escaping @Sendable (SimulatedDevice) -> Void = { _ in }
        ) {
            testDescription = words
            self.make = make
            self.events = events
        }
    }

    static let histories: [History] = [
        History("a new iPhone"),
        History("Face ID", .iPhoneWithFaceID()),
        History("Optic ID", SimulatedDevice(biometry: .opticID)),
        History("no sensor", SimulatedDevice(biometry: .none)),
        History("no passcode", SimulatedDevice(passcode: nil)),
        History("nothing is enrolled", SimulatedDevice(enrolled: [])),
        History("a Mac with a watch", .mac()) { $0.companion = .ready },
        History("a watch that is locked", .mac()) { $0.companion = .locked },
        History("a watch out of reach", .mac()) { $0.companion = .away },
        History("a simulator", .simulator()),
        History("a locked device") { $0.lock() },
        History("a restart") { $0.reboot() },
        History("a lockout") { device in
            for _ in 0..<5 { device.unlock(finger: "another") }
        },
        History("a lockout that the passcode ended") { device in
            for _ in 0..<5 { device.unlock(finger: "another") }
            device.unlock(passcode: "1234")
        },
        History("a new finger") { $0.enroll("left thumb") },
        History("a removed passcode") { $0.removePasscode() },
        History("no permission for Face ID", .iPhoneWithFaceID()) { device in
            device.app.faceIDPermission = .denied
        },
    ]

    @Test(arguments: histories) func theEnvironmentSaysWhatAContextSays(history: History) throws {
        let device = history.make()
        device.run {
            history.events(device)
            let state = LAEnvironment.currentUser.state
            func isPossible(_ policy: LAPolicy) -> Bool { LAContext().canEvaluatePolicy(policy, error: nil) }
            let context = LAContext()
            context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
            #expect(state.biometry?.biometryType ?? .none == context.biometryType)
            #expect(state.biometry?.isUsable ?? false == isPossible(.deviceOwnerAuthenticationWithBiometrics))
            #expect(state.biometry?.stateHash ?? Data() == context.domainState.biometry.stateHash ?? Data())
            #expect(state.userPassword?.isUsable == isPossible(.deviceOwnerAuthentication))
            #expect((state.companions.first?.isUsable ?? false) == isPossible(.deviceOwnerAuthenticationWithCompanion))
            let types = state.companions.reduce(into: LACompanionType()) { $0.formUnion($1.type) }
            #expect(types == context.domainState.companion.availableCompanionTypes)
            #expect(state.companions.first?.stateHash == context.domainState.companion.stateHash)
            #expect(state.allMechanisms.count == (state.biometry == nil ? 0 : 1) + 1 + state.companions.count)
            #expect(state == LAEnvironment.currentUser.state && state.hash == LAEnvironment.currentUser.state.hash)
        }
    }

    @Test func theMechanismsTellWhyTheyAreNotUsable() throws {
        let device = SimulatedDevice()
        try device.run { () throws in
            func biometry() throws -> LAEnvironment.MechanismBiometry {
                try #require(LAEnvironment.currentUser.state.biometry)
            }
            #expect(try biometry().isEnrolled && !biometry().isLockedOut && biometry().isUsable)
            #expect(try biometry().localizedName == "Touch ID" && !biometry().builtInSensorInaccessible)
            for _ in 0..<5 { device.unlock(finger: "another") }
            #expect(try biometry().isEnrolled && biometry().isLockedOut && !biometry().isUsable)
            device.unlock(passcode: "1234")
            let hash = try biometry().stateHash
            device.resetBiometry()
            #expect(try !biometry().isEnrolled && !biometry().isUsable && biometry().stateHash.isEmpty)
            #expect(!hash.isEmpty)
            #expect(LAEnvironment.currentUser.state.userPassword?.isSet == true)
            device.removePasscode()
            #expect(LAEnvironment.currentUser.state.userPassword?.isSet == false)
        }
    }

    @Test func anObserverHearsOfEachChangeOnce() {
        let device = SimulatedDevice()
        device.run {
            let observer = Observer()
            LAEnvironment.currentUser.addObserver(observer)
            let before = LAEnvironment.currentUser.state
            device.advance(by: .seconds(1))
            #expect(observer.changes.isEmpty)
            device.enroll("left thumb")
            #expect(observer.changes.map(\.former) == [before])
            #expect(observer.changes.last?.now == LAEnvironment.currentUser.state)
            #expect(observer.changes.last?.now != before)
            device.companion = .ready
            // A watch is paired, and comes near.
            #expect(observer.changes.map { $0.now.companions.map(\.isUsable) } == [[], [false], [true]])
            LAEnvironment.currentUser.removeObserver(observer)
            device.companion = .away
            #expect(observer.changes.count == 3)
        }
    }

    @Test func anObserverHearsOfALockoutDuringAPrompt() async {
        let device = SimulatedDevice()
        await device.run { () async in
            let observer = Observer()
            LAEnvironment.currentUser.addObserver(observer)
            device.user = .stranger
            for _ in 0..<3 { _ = await LAContext().outcome() }
            #expect(observer.changes.last?.now.biometry?.isLockedOut == true)
            #expect(observer.changes.map { $0.now.biometry?.isLockedOut } == [true])
            LAEnvironment.currentUser.removeObserver(observer)
        }
    }

    /// After events of several threads, the state that the environment knows is the present one.
    @Test func anObserverKnowsTheLastStateOfSeveralThreads() {
        let device = SimulatedDevice()
        device.run {
            let observer = Observer()
            LAEnvironment.currentUser.addObserver(observer)
            // A sensor has room for four fingers besides the first.
            for round in 0..<4 {
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    device.companion = thread % 2 == 0 ? .ready : .away
                }
                let (before, count) = (LAEnvironment.currentUser.state, observer.changes.count)
                device.enroll("finger \(round)")
                #expect(observer.changes.dropFirst(count).map(\.former) == [before], "\(round)")
            }
        }
    }

    /// Two devices have environments of their own, and an observer is not kept alive.
    @Test func anObserverHearsOfItsOwnDevice() {
        let (first, second) = (SimulatedDevice(), SimulatedDevice())
        let observer = Observer()
        first.run { LAEnvironment.currentUser.addObserver(observer) }
        second.enroll("left thumb")
        #expect(observer.changes.isEmpty)
        first.enroll("left thumb")
        #expect(observer.changes.count == 1)
        weak var gone: Observer?
        do {
            let short = Observer()
            gone = short
            second.run { LAEnvironment.currentUser.addObserver(short) }
        }
        #expect(gone == nil)
        #expect(second.enroll("right thumb"))
    }

    /// An observer may use the device that it is told about.
    @Test func anObserverMayCallTheKeychain() {
        let device = SimulatedDevice()
        let observer = Observer { add("after a change", []) }
        device.run { LAEnvironment.currentUser.addObserver(observer) }
        device.enroll("left thumb")
        #expect(device.world.items.count == 1)
    }
}

/// An observer that keeps what it was told.
private final class Observer: NSObject, LAEnvironment.Observer {
    private let told = Mutex<[(former: LAEnvironment.State, now: LAEnvironment.State)]>([])
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

    var changes: [(former: LAEnvironment.State, now: LAEnvironment.State)] { told.withLock { $0 } }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
        told.withLock { $0.append((oldState, environment.state)) }
        body()
    }
}
