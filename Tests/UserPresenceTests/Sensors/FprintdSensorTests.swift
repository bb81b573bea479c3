import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing
import UserPresence

/// The sensor for fprintd, on the virtual reader of libfprint. The daemon is the real one, on a private bus.
@Suite(.waitsForProcesses, .enabled(if: VirtualReader.isPossible, "skipped: \(VirtualReader.packages)"))
struct FprintdSensorTests {
    /// A sensor on the bus of a virtual reader. It waits as long as a busy machine needs.
    private func sensor(
        on reader: VirtualReader, list: Duration = .seconds(Patience.seconds),
        relay: (@Sendable (String) -> Void)? = nil
    ) -> FprintdSensor {
        let long = Duration.seconds(Patience.seconds)
        return FprintdSensor(
            bus: reader.address, ownedBy: geteuid(), patience: .init(list: list, match: long, enroll: long),
            claim: long,
            relay: relay)
    }

    private func enroll(_ name: String, showing finger: String, on reader: VirtualReader) throws {
        try sensor(on: reader) { _ in reader.show(finger) }.enroll(name, until: fingerPrompt())
        reader.waitForRelease()
    }

    /// Shows a finger when the reader is claimed, and returns what the sensor makes of it.
    private func match(_ finger: String, on reader: VirtualReader) throws -> SensorMatch {
        reader.waitForRelease()
        let shown = Thread { reader.show(finger) }
        shown.start()
        return try sensor(on: reader).match(showing: nil, until: fingerPrompt())
    }

    @Test func enrollsMatchesAndForgets() throws {
        let reader = try VirtualReader()
        let said = Mutex<[String]>([])
        let sensor = sensor(on: reader) { saying in
            said.withLock { $0.append(saying) }
            reader.show("right-index-1")
        }
        let empty = try sensor.enrollments()
        #expect(empty.templates.isEmpty)
        #expect(empty.sensor == "fprintd Virtual device for debugging")
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .noMatch)
        #expect(said.withLock { $0 } == [], "if no finger is enrolled, no touch is needed")

        let told = Mutex<[String]>([])
        let prompt = Prompt(PromptContent(.biometry)) { saying in told.withLock { $0.append(saying) } }
        try sensor.enroll("right index", until: prompt)
        let sayings = ["Swipe the reader with your right index (1 of 5)"] + (2...5).map { "Swipe again (\($0) of 5)" }
        #expect(said.withLock { $0 } == sayings)
        #expect(told.withLock { $0 } == sayings)
        let enrolled = Template(id: "right-index-finger", name: "right index")
        #expect(try sensor.enrollments() == Enrollments(sensor: empty.sensor, [enrolled]))
        #expect(throws: SensorError.alreadyEnrolled) { try sensor.enroll("Right-Index-Finger", until: fingerPrompt()) }

        #expect(try match("right-index-1", on: reader) == .matched("right-index-finger"))
        #expect(try match("left-index-1", on: reader) == .noMatch)

        #expect(throws: SensorError.notEnrolled) { try sensor.remove("left-thumb") }
        try sensor.remove("right-index-finger")
        #expect(try sensor.enrollments().templates.isEmpty)
        guard
            case .refused = failure(of: { () throws(SensorError) in try sensor.enroll("nose", until: fingerPrompt()) })
        else {
            Issue.record("a nose is no finger")
            return
        }
    }

    /// When a prompt ends, the claim on the reader ends, too, so the next prompt gets it at once.
    @Test func whatWasInterruptedHoldsNothing() throws {
        let reader = try VirtualReader()
        try enroll("left thumb", showing: "left-thumb-1", on: reader)
        let over = Prompt(PromptContent(.biometry))
        let ending = Thread {
            reader.waitForClaim()
            over.end(.canceled)
        }
        ending.start()
        #expect(throws: SensorError.interrupted) { try sensor(on: reader).match(showing: nil, until: over) }
        #expect(try match("left-thumb-1", on: reader) == .matched("left-thumb"))
    }

    /// fprintd gives a reader to one program at a time. The next one waits for it a moment.
    @Test func aClaimWaitsForTheOneBefore() throws {
        let reader = try VirtualReader()
        try enroll("left thumb", showing: "left-thumb-1", on: reader)
        let over = Prompt(PromptContent(.biometry))
        let first = sensor(on: reader)
        let (isOver, isClaimed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let waiting = Thread {
            _ = try? first.match(showing: nil, until: over)
            isOver.signal()
        }
        waiting.start()
        let claimed = Thread {
            reader.waitForClaim()
            isClaimed.signal()
        }
        claimed.start()
        isClaimed.wait()
        // Another program has the reader now, and does not wait for it.
        let impatient = FprintdSensor(bus: reader.address, ownedBy: geteuid(), claim: .zero)
        #expect(throws: SensorError.refused("another program uses the reader")) {
            try impatient.match(showing: nil, until: fingerPrompt())
        }
        let ending = Thread { over.end(.canceled) }
        ending.start()
        let matched = try reader.show("left-thumb-1", after: { isOver.wait() }) {
            try sensor(on: reader).match(showing: nil, until: fingerPrompt())
        }
        #expect(matched == .matched("left-thumb"))
    }

    @Test func aMatchThatAnotherProgramReportsCountsForNothing() throws {
        let reader = try VirtualReader()
        try enroll("left thumb", showing: "left-thumb-1", on: reader)
        let forging = Thread {
            reader.waitForClaim()
            for _ in 0..<3 { try? reader.forgeMatch() }
            reader.show("right-thumb-1")
        }
        forging.start()
        #expect(try sensor(on: reader).match(showing: nil, until: fingerPrompt()) == .noMatch)
    }

    @Test func onlyTheExpectedUserRunsTheService() throws {
        let reader = try VirtualReader()
        let sensor = FprintdSensor(bus: reader.address, ownedBy: geteuid() + 1)
        guard case .untrusted = failure(of: sensor.enrollments) else {
            Issue.record("it believed another user's service")
            return
        }
    }

    @Test func withoutTheBusTheServiceOrTheReaderThereIsNone() throws {
        let folder = try TemporaryFolder()
        let nowhere = FprintdSensor(bus: "unix:path=\(folder.path("nowhere"))", ownedBy: geteuid())
        guard case .absent(let bus) = failure(of: nowhere.enrollments), bus.contains("the system bus") else {
            Issue.record("it found a bus")
            return
        }
        let silent = try VirtualReader(isRunning: false)
        let missing = SensorError.absent("fprintd does not run: install the package fprintd")
        #expect(failure(of: sensor(on: silent).enrollments) == missing)
        let unplugged = try VirtualReader(isPluggedIn: false)
        let none = SensorError.absent("fprintd finds no fingerprint reader")
        #expect(failure(of: sensor(on: unplugged).enrollments) == none)
    }

    @Test func whatPolkitForbidsIsRefusedAtOnce() throws {
        let reader = try VirtualReader(isPermitted: false)
        let refused = SensorError.refused("polkit permits the reader only in a session at this machine")
        #expect(failure(of: sensor(on: reader).enrollments) == refused)
    }

    @Test func aServiceThatEndsEndsTheWait() throws {
        let reader = try VirtualReader()
        try enroll("left thumb", showing: "left-thumb-1", on: reader)
        let ending = Thread {
            reader.waitForClaim()
            reader.end()
        }
        ending.start()
        // Before it ends, the service may still report that the wait has failed.
        let error = failure(of: { () throws(SensorError) in
            _ = try sensor(on: reader).match(showing: nil, until: fingerPrompt())
        })
        #expect(error != nil && error != .timedOut && error != .interrupted, "\(String(describing: error))")
        try reader.start()
        #expect(try sensor(on: reader).enrollments().templates.map(\.id) == ["left-thumb"])
    }

    /// A service that hangs costs its time once. Prompts for the passcode do not wait for it again.
    @Test func aSilentServiceIsNotAskedAgain() throws {
        let reader = try VirtualReader()
        reader.pause(true)
        defer { reader.pause(false) }
        let sensor = sensor(on: reader, list: .milliseconds(1500))
        #expect(failure(of: sensor.enrollments) == .timedOut)
        // The service could answer now, but is not asked for a while.
        reader.pause(false)
        #expect(failure(of: sensor.enrollments) == .timedOut)
    }
}
