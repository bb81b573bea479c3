import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// Reading the output of a sensor's command.
@Suite struct SensorAnswerTests {
    /// Returns the final line of `bytes`, which arrive in pieces of this size.
    private static func final(_ bytes: [UInt8], by size: Int = 7) throws(SensorError) -> FinalLine {
        var answer = SensorAnswer()
        var rest = bytes[...]
        while !rest.isEmpty {
            _ = try answer.hear(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return try FinalLine(answer.finished())
    }

    private static func final(_ text: String) throws(SensorError) -> FinalLine { try final(Array(text.utf8)) }

    @Test(arguments: [1, 2, 7, 4096])
    func piecesMakeNoDifference(_ size: Int) throws {
        let text = #"{"say":"ä"}"# + "\n" + #" { "matched" : "x" } "# + "\r\n"
        #expect(try Self.final(Array(text.utf8), by: size).match() == .matched("x"))
    }

    @Test(arguments: [
        "", "\n", "x\n", #"{"matched":"x"}"#, "{\"matched\":\"x\"}\n\n", "{\"matched\":\"x\"}\n{\"matched\":\"x\"}\n",
        "{\"matched\":\"x\"}\n{\"say\":\"x\"}\n", "{\"matched\":\"x\"}\n ", "{\"matched\":\"x\"}{\"matched\":\"x\"}\n",
        "{\"matched\":\"x\",\"finger\":1}\n", "{\"matched\":\"x\",\"say\":\"x\"}\n",
        "{\"matched\":\"x\",\"failed\":\"x\"}\n",
        "{\"matched\":\"x\",\"matched\":\"x\"}\n", "{\"matched\":\"\"}\n", "{\"matched\":1}\n", "{\"matched\":true}\n",
        "{\"matched\":[\"x\"]}\n", "{\"Matched\":\"x\"}\n", "{}\n", "[]\n", "\"matched\"\n", "{\"enrolled\":\"x\"}\n",
        "{\"say\":1}\n{\"matched\":\"x\"}\n", "{\"say\":\"\"}\n", "{\"say\":\"x\",\"matched\":\"x\"}\n",
        "{\"matched\":\"" + String(repeating: "x", count: 129) + "\"}\n", "{\"failed\":1}\n", "{\"failed\":null}\n",
        "{\"failed\":\"x\",\"reason\":null}\n", "{\"failed\":\"x\",\"because\":\"x\"}\n", "{\"reason\":\"full\"}\n",
    ])
    func isNoMatch(_ text: String) {
        let failure = failure { () throws(SensorError) in try Self.final(text).match() }
        switch failure {
        case .garbage, .ended: break
        default: Issue.record("\(String(describing: failure))")
        }
    }

    @Test(
        arguments: [
            (#"{"failed":"a\u001b[1mb"}"#, .refused("a?[1mb")), (#"{"failed":"b","reason":"busy"}"#, .refused("b")),
            (#"{"failed":"b","reason":"full"}"#, .full), (#"{"failed":"","reason":"already"}"#, .alreadyEnrolled),
            (#"{"failed":"b","reason":"unknown"}"#, .notEnrolled), (#"{"failed":"b","reason":"absent"}"#, .absent("b")),
        ] as [(String, SensorError)])
    func aFailureIsSaid(_ text: String, _ expected: SensorError) {
        #expect(throws: expected) { try Self.final(text + "\n").match() }
    }

    @Test func aListIsRead() throws {
        let text = #"{"sensor":"s","kind":"faceID","enrolled":[{"id":"b","name":"B"},{"name":"","id":"a"}]}"# + "\n"
        let expected = try Enrollments(sensor: "s", [Template(id: "a", name: ""), Template(id: "b", name: "B")])
        #expect(try Self.final(text).enrollments(kind: .faceID) == expected)
        #expect(throws: SensorError.exchanged("it should be one for touchID, and says that it is another")) {
            try Self.final(text).enrollments(kind: .touchID)
        }
    }

    @Test(arguments: [
        #"{"sensor":"s","kind":"touchID"}"#, #"{"sensor":"","kind":"touchID","enrolled":[]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":{}}"#, #"{"sensor":"s","kind":1,"enrolled":[]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[1]}"#, #"{"sensor":"s","kind":"touchID","enrolled":[{"id":"a"}]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[{"id":"a","name":"A","x":1}]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[{"id":"","name":"A"}]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[{"id":1,"name":"A"}]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[{"id":"a","name":"A"},{"id":"a","name":"B"}]}"#,
        #"{"sensor":"s","kind":"touchID","enrolled":[],"more":1}"#,
    ])
    func isNoList(_ text: String) {
        let failure = failure { () throws(SensorError) in try Self.final(text + "\n").enrollments(kind: .touchID) }
        guard case .garbage = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func whoIsNamedHasToBeTheOne() throws {
        try Self.final("{\"removed\":\"a\"}\n").requireRemoved("a")
        #expect(throws: SensorError.self) { try Self.final("{\"removed\":\"b\"}\n").requireRemoved("a") }
        try Self.final("{\"enrolled\":\"a\"}\n").requireEnrolled()
        #expect(throws: SensorError.self) { try Self.final("{\"enrolled\":null}\n").requireEnrolled() }
    }

    @Test func sayingsArePassedOnTidied() throws {
        var answer = SensorAnswer()
        let long = String(repeating: "ä", count: 500)
        let text = "{\"say\":\"Touch\\u001b]0;x\\u0007 a\\u202egain\\n\"}\n{\"say\":\"\(long)\"}\n"
        #expect(try answer.hear(text.utf8) == ["Touch?]0;x? again", String(repeating: "ä", count: 200) + "..."])
    }

    @Test func moreThanAnAnswerIsAFlood() throws {
        var lines = SensorAnswer()
        for _ in 0..<SensorAnswer.mostLines { _ = try lines.hear("{\"say\":\"\"}\n".utf8) }
        #expect(throws: SensorError.flooded) { try lines.hear("{\"matched\":\"x\"}\n".utf8) }
        var bytes = SensorAnswer()
        _ = try bytes.hear([UInt8](repeating: 0x20, count: SensorAnswer.mostBytes))
        #expect(throws: SensorError.flooded) { try bytes.hear(" ".utf8) }
    }

    /// Random lines never match, and valid lines with a few wrong bytes match only if another reader agrees.
    @Test func randomLinesAreNoMatch() throws {
        var random = SeededGenerator(seed: 72)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect((try? Self.final(bytes + [0x0A]).match()) == nil)
        }
        let right = Array((#"{"say":"Touch"}"# + "\n" + #"{"matched":"right"}"# + "\n").utf8)
        var matches = 0
        for _ in 0..<10_000 {
            var bytes = right
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(random.pick(right), at: place)
                }
            }
            guard case .matched(let id)? = try? Self.final(bytes).match() else { continue }
            matches += 1
            let last = bytes.dropLast().split(separator: 0x0A).last ?? []
            let other = try JSONSerialization.jsonObject(with: Data(last)) as? [String: String]
            #expect(other == ["matched": id])
        }
        #expect(matches > 100)
    }
}
