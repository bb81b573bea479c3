import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing
import UserPresence

/// The sample sensor, from the first finger to the last.
@Suite struct SampleSensorTests {
    private let script: SensorScript
    private let said = Said()

    final class Said: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    init() throws { script = try SensorScript(fixture: "sample-sensor") }

    private func sensor(_ kind: SensorKind = .touchID, says word: String = "touchID") -> ExternalSensor {
        script.sensor(
            kind, environment: ["SAMPLE_SENSOR_FOLDER": script.folder.url.path, "SAMPLE_SENSOR_KIND": word],
            relay: said.add)
    }

    /// Latchkey sends `enrol`; another program may send `enroll`.
    @Test(arguments: ["enrol", "enroll"]) func takesBothSpellings(_ word: String) throws {
        let answer = try script.answer(
            to: #"{"latchkey":1,"do":"\#(word)","name":"right index"}"#,
            environment: ["SAMPLE_SENSOR_FOLDER": script.folder.url.path, "SAMPLE_SENSOR_KIND": "touchID"])
        let known = try sensor().enrollments().templates
        #expect(known.map(\.name) == ["right index"])
        #expect(answer.hasSuffix("{\"enrolled\":\"\(known.first?.id ?? "")\"}\n"))
    }

    private func show(_ name: String) throws {
        try Data(name.utf8).write(to: URL(filePath: script.folder.path("shown")), options: .atomic)
    }

    @Test func enrollsMatchesAndForgets() throws {
        let sensor = sensor()
        let empty = try sensor.enrollments()
        #expect(empty.templates.isEmpty)
        try sensor.enroll("right index", until: fingerPrompt())
        #expect(said.all == ["Show yourself, right index", "Once more"])
        #expect(throws: SensorError.alreadyEnrolled) { try sensor.enroll("right index", until: fingerPrompt()) }
        try sensor.enroll("left thumb", until: fingerPrompt())
        let known = try sensor.enrollments()
        #expect(known.sensor == empty.sensor)
        #expect(Set(known.templates.map(\.name)) == ["right index", "left thumb"])
        let id = try #require(known.templates.first { $0.name == "right index" }?.id)
        try show("right index")
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched(id))
        try show("somebody else")
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .noMatch)
        try sensor.remove(id)
        #expect(throws: SensorError.notEnrolled) { try sensor.remove(id) }
        #expect(throws: SensorError.notEnrolled) { try sensor.remove("../identity") }
        try show("right index")
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .noMatch)
        #expect(try sensor.enrollments().templates.map(\.name) == ["left thumb"])
    }

    @Test func waitsUntilSomebodyShowsUp() throws {
        let sensor = sensor()
        try sensor.enroll("right index", until: fingerPrompt())
        Thread.detachNewThread { [self] in
            while !said.all.contains("Show yourself") { usleep(10_000) }
            try? show("right index")
        }
        guard case .matched = try sensor.match(showing: nil, until: fingerPrompt()) else {
            Issue.record("nobody was matched")
            return
        }
    }

    @Test func hasRoomForSoMany() throws {
        let sensor = sensor(.faceID, says: "faceID")
        try sensor.enroll("Ada", until: fingerPrompt())
        try sensor.enroll("Ben", until: fingerPrompt())
        #expect(throws: SensorError.full) { try sensor.enroll("Cleo", until: fingerPrompt()) }
    }

    @Test func saysWhatItCannot() throws {
        let sensor = sensor()
        guard
            case .refused = failure(of: { () throws(SensorError) in try sensor.enroll("a\"b", until: fingerPrompt()) })
        else {
            Issue.record("it wrote a name that it cannot read")
            return
        }
        #expect(failure(of: script.sensor().enrollments) == .absent("SAMPLE_SENSOR_FOLDER names no folder"))
        guard case .exchanged = failure(of: self.sensor(.opticID, says: "faceID").enrollments) else {
            Issue.record("another kind was taken")
            return
        }
    }
}
