import DeviceModel
import Foundation
import Latchkey
import LatchkeyFiles
import LatchkeyTesting
import Synchronization
import TestSupport
import Testing

/// The notifications about protected data: which device sends them when, and who hears them.
@Suite struct ProtectedDataTests {
    /// An observer that notes what it hears, until it is gone.
    private final class Ear: Sendable {
        private let heard = Mutex<[String]>([])
        nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []  // changed before anything is heard

        init(_ object: SimulatedDevice) {
            tokens = ProtectedDataNotice.allCases.map { notice in
                NotificationCenter.default.addObserver(
                    forName: Notification.Name(notice.rawValue), object: object, queue: nil
                ) { [weak self] _ in
                    let isRight = ProtectedFolder.isProtectedDataAvailable
                    self?.heard.withLock { $0.append("\(notice) \(isRight)") }
                }
            }
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

        var all: [String] { heard.withLock { $0 } }
    }

    private static let will = "willBecomeUnavailable true"
    private static let willAtOnce = "willBecomeUnavailable false"
    private static let did = "didBecomeAvailable true"

    @Test func aLockIsAnnouncedAndAnUnlockToo() {
        let device = SimulatedDevice()
        let ear = Ear(device)
        device.lock()
        #expect(ear.all == [Self.will])
        device.run { #expect(ProtectedFolder.isProtectedDataAvailable) }
        device.advance(by: .seconds(11))
        device.run { #expect(!ProtectedFolder.isProtectedDataAvailable) }
        #expect(!device.unlock(passcode: "wrong"))
        device.lock()
        #expect(ear.all == [Self.will])
        device.unlock(finger: "right index")
        #expect(ear.all == [Self.will, Self.did])
        device.lockRemotely()
        #expect(ear.all == [Self.will, Self.did, Self.willAtOnce])
    }

    /// No app runs through a restart. One that is started before the first unlock hears of that.
    @Test func anAppThatRunsBeforeTheFirstUnlockHearsOfIt() {
        let device = SimulatedDevice()
        let ear = Ear(device)
        device.reboot()
        #expect(ear.all == [])
        device.run { #expect(!ProtectedFolder.isProtectedDataAvailable) }
        device.unlock(passcode: "1234")
        #expect(ear.all == [Self.did])
    }

    @Test func aDeviceWithoutAPasscodeSaysNothing() {
        let device = SimulatedDevice(passcode: nil)
        let ear = Ear(device)
        device.lock()
        device.reboot()
        device.run { #expect(ProtectedFolder.isProtectedDataAvailable) }
        device.setPasscode("9")
        #expect(ear.all == [])
        device.lock()
        #expect(ear.all == [Self.will])
    }

    @Test func eachObserverHearsItsDevice() {
        let (one, other) = (SimulatedDevice(), SimulatedDevice())
        let (ofOne, ofOther) = (Ear(one), Ear(other))
        one.lock()
        #expect(ofOne.all == [Self.will])
        #expect(ofOther.all == [])
        other.lock()
        other.unlock(passcode: "1234")
        #expect(ofOne.all == [Self.will])
        #expect(ofOther.all == [Self.will, Self.did])
    }
}

/// While a test runs alone, no other test with a device of a trait runs.
@Suite struct AloneTests {
    private static let running = Mutex((together: 0, alone: 0))

    @Suite(.device) struct Together {
        @Test(arguments: 0..<12) func otherTestsMayRun(_: Int) async throws {
            running.withLock { $0.together += 1 }
            try await Task.sleep(for: .milliseconds(2))
            running.withLock {
                #expect($0.alone == 0)
                $0.together -= 1
            }
        }
    }

    private static func runAlone() async throws {
        running.withLock { $0.alone += 1 }
        try await Task.sleep(for: .milliseconds(2))
        running.withLock {
            #expect($0 == (0, 1))
            $0.alone -= 1
        }
    }

    @Suite(.device(reach: .alone), .setsTheProcess) struct Alone {
        @Test(arguments: 0..<4) func noOtherTestRuns(_: Int) async throws { try await runAlone() }

        /// An observer of all devices runs in the code of this one.
        @Test func anObserverOfEveryDeviceHearsThisOne() throws {
            let device = try #require(SimulatedDevice.current)
            let heard = Mutex(0)
            let token = NotificationCenter.default.addObserver(
                forName: Notification.Name(ProtectedDataNotice.willBecomeUnavailable.rawValue), object: nil, queue: nil
            ) { note in
                // Tests of this process that create devices without the trait are heard too.
                if note.object as? SimulatedDevice === device { heard.withLock { $0 += 1 } }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            device.lock()
            #expect(heard.withLock { $0 } == 1)
        }
    }

    /// The inner trait counts, whatever the outer suites have, and no two tests wait for each other.
    @Suite(.device) struct Nested {
        @Suite(.device(reach: .process), .setsTheProcess) struct OfTheProcess {
            @Test(arguments: 0..<4) func othersMayRun(_: Int) async throws {
                try await Task.sleep(for: .milliseconds(1))
                #expect(running.withLock { $0.alone } == 0)
            }

            @Suite(.device(reach: .alone)) struct Inner {
                @Test(arguments: 0..<4) func noOtherTestRuns(_: Int) async throws { try await runAlone() }
            }
        }
    }
}
