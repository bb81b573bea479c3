import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// The fake sensor, which believes what it is shown.
@Suite struct FakeSensorTests {
    private static func names(_ sensor: FakeSensor) throws -> [String] {
        try sensor.enrollments().templates.map(\.name).sorted()
    }

    @Test func whoIsEnrolledIsKnown() throws {
        let sensor = FakeSensor(.touchID)
        let prompt = fingerPrompt()
        #expect(try sensor.enrollments().templates.isEmpty)
        #expect(try sensor.match(showing: "right index", until: prompt) == .noMatch)
        try sensor.enroll("right index", until: prompt)
        try sensor.enroll("left thumb", showing: "whorl 7")
        let known = try sensor.enrollments()
        let id = try #require(known.templates.first { $0.name == "left thumb" }?.id)
        #expect(try sensor.match(showing: "whorl 7", until: prompt) == .matched(id))
        #expect(try sensor.match(showing: "left thumb", until: prompt) == .noMatch)
        #expect(try sensor.match(showing: nil, until: prompt) == .noMatch)
        #expect(try sensor.match(showing: "", until: prompt) == .noMatch)
        try sensor.remove(id)
        #expect(try Self.names(sensor) == ["right index"])
        #expect(try sensor.match(showing: "whorl 7", until: prompt) == .noMatch)
        #expect(throws: SensorError.notEnrolled) { try sensor.remove(id) }
        #expect(sensor.isFake)
    }

    @Test(arguments: [SensorKind.touchID, .faceID, .opticID])
    func thereIsRoomForSoMany(_ kind: SensorKind) throws {
        let sensor = FakeSensor(kind)
        for number in 0..<kind.capacity { try sensor.enroll("number \(number)", until: fingerPrompt()) }
        #expect(throws: SensorError.full) { try sensor.enroll("one more", until: fingerPrompt()) }
        #expect(try sensor.enrollments().templates.count == kind.capacity)
    }

    @Test func nobodyIsEnrolledTwice() throws {
        let sensor = FakeSensor(.touchID)
        try sensor.enroll("thumb", showing: "a")
        #expect(throws: SensorError.alreadyEnrolled) { try sensor.enroll("thumb", showing: "b") }
        #expect(throws: SensorError.alreadyEnrolled) { try sensor.enroll("other", showing: "a") }
        let first = try sensor.enrollments().templates[0].id
        try sensor.remove(first)
        try sensor.enroll("thumb", showing: "a")
        #expect(try sensor.enrollments().templates[0].id != first, "a new enrollment has a new identifier")
    }

    @Test(arguments: ["", String(repeating: "n", count: 129)])
    func aNameHasBounds(_ name: String) {
        #expect(throws: SensorError.self) { try FakeSensor(.touchID).enroll(name, until: fingerPrompt()) }
    }

    @Test func thereIsNone() {
        let sensor = FakeSensor(.none)
        let absent = SensorError.absent("this device has no sensor")
        #expect(throws: absent) { try sensor.enrollments() }
        #expect(throws: absent) { try sensor.enroll("thumb", until: fingerPrompt()) }
        #expect(throws: absent) { try sensor.remove("thumb") }
        #expect(throws: absent) { try sensor.match(showing: "thumb", until: fingerPrompt()) }
        #expect(throws: absent) { try sensor.reset() }
    }

    @Test func aPromptThatIsOverIsNotAnswered() throws {
        let sensor = FakeSensor(.touchID)
        try sensor.enroll("thumb", until: fingerPrompt())
        let over = fingerPrompt()
        over.end(.canceled)
        #expect(throws: SensorError.interrupted) { try sensor.match(showing: "thumb", until: over) }
        #expect(throws: SensorError.interrupted) { try sensor.enroll("other", until: over) }
        #expect(try Self.names(sensor) == ["thumb"])
    }

    @Test func itsMemoryMakesTheSensor() throws {
        let memory = ProcessMemory()
        let first = FakeSensor(.faceID, memory: memory)
        let identity = try first.enrollments().sensor
        try first.enroll("Ada", showing: "a face")
        let second = FakeSensor(.faceID, memory: memory)
        #expect(try second.enrollments() == first.enrollments())
        #expect(try second.enrollments().sensor == identity)
        #expect(try second.match(showing: "a face", until: fingerPrompt()) != .noMatch)
        try second.reset()
        #expect(try first.enrollments().templates.isEmpty)
        #expect(try first.enrollments().sensor != identity)
        #expect(try FakeSensor(.faceID).enrollments().sensor != FakeSensor(.faceID).enrollments().sensor)
    }

    @Test func whatWasShownIsNotKept() throws {
        let (one, other) = (ProcessMemory(), ProcessMemory())
        for memory in [one, other] { try FakeSensor(.touchID, memory: memory).enroll("n", showing: "the shown text") }
        #expect(Data(one.load()).range(of: Data("the shown text".utf8)) == nil)
        #expect(one.load().suffix(32) != other.load().suffix(32), "the same text has one digest everywhere")
    }

    /// A memory that was shortened, extended or has another version matches no finger and is not overwritten.
    @Test func aDamagedMemoryIsRefused() throws {
        let memory = ProcessMemory()
        let sensor = FakeSensor(.touchID, memory: memory)
        try sensor.enroll("thumb", showing: "a")
        try sensor.enroll("index", showing: "b")
        let right = memory.load()
        var wrong = (1..<right.count).map { Array(right.prefix($0)) } + [right + [0]]
        for version in [0, 2, 255] as [UInt8] { wrong.append([version] + right.dropFirst()) }
        for bytes in wrong {
            memory.store(bytes)
            for body in [
                { _ = try sensor.enrollments() }, { _ = try sensor.match(showing: "a", until: fingerPrompt()) },
                { try sensor.enroll("c", until: fingerPrompt()) }, { try sensor.remove("d") },
            ] as [() throws -> Void] {
                #expect(throws: SensorError.garbage("its memory holds something else: reset it")) { try body() }
            }
            #expect(memory.load() == bytes)
        }
        try sensor.reset()
        #expect(try sensor.enrollments().templates.isEmpty)
    }

    @Test func anyMemoryIsReadWithoutATrap() throws {
        let memory = ProcessMemory()
        let sensor = FakeSensor(.touchID, memory: memory)
        for name in ["thumb", "index"] { try sensor.enroll(name, until: fingerPrompt()) }
        let right = memory.load()
        var random = SeededGenerator(seed: 73)
        for _ in 0..<5000 {
            var bytes = right
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            memory.store(bytes)
            _ = try? sensor.enrollments()
            if case .matched? = try? sensor.match(showing: "nobody", until: fingerPrompt()) {
                Issue.record("a stranger was matched")
            }
        }
    }

    @Test func aMemoryThatFailsFailsTheSensor() {
        struct Broken: TemplateMemory {
            struct Full: Error {}
            func load() throws -> [UInt8] { throw Full() }
            func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] { throw Full() }
        }
        struct ReadOnly: TemplateMemory {
            func load() -> [UInt8] { [] }
            func change(_ body: ([UInt8]) throws -> [UInt8]) throws -> [UInt8] { throw Broken.Full() }
        }
        #expect(throws: SensorError.absent("its memory cannot be read: Full()")) {
            try FakeSensor(.touchID, memory: Broken()).enrollments()
        }
        #expect(throws: SensorError.refused("its memory cannot be written: Full()")) {
            try FakeSensor(.touchID, memory: ReadOnly()).enrollments()
        }
    }

    @Test func severalThreadsShareOne() async throws {
        let sensor = FakeSensor(.touchID)
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { try? sensor.enroll("number \(number)", until: fingerPrompt()) }
            }
        }
        #expect(try sensor.enrollments().templates.count == SensorKind.touchID.capacity)
    }
}
