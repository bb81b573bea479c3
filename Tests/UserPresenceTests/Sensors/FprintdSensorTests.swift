import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing
import UserPresence

/// The sensor for fprintd, on the virtual reader of libfprint. The daemon is the real one, on a private bus.
@Suite(
    .enabled(
        if: VirtualReader.isPossible,
        "needs the packages dbus, fprintd, libfprint-2-2, python3-dbusmock and python3-gi"))
struct FprintdSensorTests {
    @Test func enrollsMatchesAndForgets() throws {
        let reader = try VirtualReader()
        let script = try SensorScript(fixture: "fprintd-sensor")
        let said = Mutex<[String]>([])
        // When the sensor asks for a touch, show it the next finger.
        func sensor(showing finger: String) -> ExternalSensor {
            script.sensor(patience: .seconds(20), environment: reader.environment) { saying in
                said.withLock { $0.append(saying) }
                reader.show(finger)
            }
        }
        let right = sensor(showing: "right-index-1")
        let empty = try right.enrollments()
        #expect(empty.templates.isEmpty)
        #expect(empty.sensor == "fprintd Virtual device for debugging")
        #expect(try right.match(showing: nil, until: fingerPrompt()) == .noMatch)
        #expect(said.withLock { $0 } == [], "if no finger is enrolled, no touch is needed")

        try right.enroll("right index", until: fingerPrompt())
        #expect(said.withLock { $0.count } == 5)
        let enrolled = Template(id: "right-index-finger", name: "right index")
        #expect(try right.enrollments() == Enrollments(sensor: empty.sensor, [enrolled]))
        #expect(throws: SensorError.alreadyEnrolled) { try right.enroll("Right-Index-Finger", until: fingerPrompt()) }

        #expect(try right.match(showing: nil, until: fingerPrompt()) == .matched("right-index-finger"))
        #expect(try sensor(showing: "left-index-1").match(showing: nil, until: fingerPrompt()) == .noMatch)

        #expect(throws: SensorError.notEnrolled) { try right.remove("left-thumb") }
        try right.remove("right-index-finger")
        #expect(try right.enrollments().templates.isEmpty)
        guard
            case .refused = failure(of: { () throws(SensorError) in try right.enroll("nose", until: fingerPrompt()) })
        else {
            Issue.record("a nose is no finger")
            return
        }
        // Latchkey sends `enrol`; another program may send `enroll`.
        let answers = try ["enrol", "enroll"].map { word in
            try script.answer(
                to: #"{"latchkey":1,"do":"\#(word)","name":"nose"}"#, environment: reader.environment)
        }
        #expect(answers[0].contains("failed") && !answers[0].contains("does not understand"))
        #expect(answers[1] == answers[0])
    }

    /// When a prompt ends, the claim on the reader ends, too, so the next prompt gets it at once.
    @Test func whatWasInterruptedHoldsNothing() throws {
        let reader = try VirtualReader()
        let script = try SensorScript(fixture: "fprintd-sensor")
        let sensor = script.sensor(patience: .seconds(20), environment: reader.environment) { _ in
            reader.show("left-thumb-1")
        }
        try sensor.enroll("left thumb", until: fingerPrompt())
        let over = fingerPrompt()
        let waiting = script.sensor(patience: .seconds(20), environment: reader.environment) { _ in
            over.end(.canceled)
        }
        #expect(throws: SensorError.interrupted) { try waiting.match(showing: nil, until: over) }
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched("left-thumb"))
    }

    @Test func withoutTheDaemonThereIsNone() throws {
        let folder = try TemporaryFolder()
        let script = try SensorScript(fixture: "fprintd-sensor")
        let sensor = script.sensor(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path("nowhere"))"])
        guard case .absent = failure(of: sensor.enrollments) else {
            Issue.record("it found one")
            return
        }
    }
}
