import Foundation
import PolicyScenarios
import ScenarioFormat
import ScenarioFuzzer
import TestSupport
import Testing

/// Tests that the files of `Fixtures/scenarios` are read in any spelling of their lines, and judged in any state of decay.
@Suite struct DamagedFileTests {
    /// A kind of damage to the bytes of a file.
    enum Damage: CaseIterable, Sendable {
        case flippedBit, cutOff, doubledLine, lostLine, swappedLines, lostByte, strangeByte, shiftedLine

        /// Returns the bytes with one such damage at a random place.
        func done(to bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
            var bytes = bytes
            let place = Int.random(in: bytes.indices, using: &random)
            switch self {
            case .flippedBit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case .cutOff: bytes.removeLast(bytes.count - place)
            case .lostByte: bytes.remove(at: place)
            // Signs of YAML, the beginnings of longer characters, and bytes that no text has.
            case .strangeByte:
                bytes[place] = random.pick(Array("[]{},:?&*!|>%@`'\"#\t\r- $".utf8) + [0, 0xC2, 0xE2, 0xFF])
            case .doubledLine, .lostLine, .swappedLines, .shiftedLine:
                var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                    Array($0)
                }
                let line = Int.random(in: lines.indices, using: &random)
                switch self {
                case .doubledLine: lines.insert(lines[line], at: line)
                case .lostLine: lines.remove(at: line)
                case .swappedLines: lines.swapAt(line, Int.random(in: lines.indices, using: &random))
                default: lines[line].insert(contentsOf: Array(repeating: UInt8(ascii: " "), count: 2), at: 0)
                }
                bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            }
            return bytes
        }
    }

    /// Reading a damaged file succeeds, or complains with a place inside of it; what is read plays.
    @Test(arguments: Damage.allCases) func aDamagedFileIsReadOrHasMistakesWithAPlace(damage: Damage) throws {
        let number = try #require(Damage.allCases.firstIndex(of: damage))
        var mistaken = 0
        for (place, fixture) in try ScenarioFixtures.all().enumerated() {
            let seed = Soak.isExhaustive ? 0 : DaySample.seed
            var random = SeededGenerator(seed: seed << 16 | UInt64(place) << 4 | UInt64(number))
            for _ in 0..<(Soak.isExhaustive ? 40 : 1) {
                let bytes = damage.done(to: Array(fixture.text.utf8), &random)
                let fault = ScenarioCheck.fault(with: bytes)
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(fault == nil, "\(fault ?? "") in \(fixture.name), damaged:\n\(text)")
                if !ScenarioFile(bytes: bytes, of: fixture.path).mistakes.isEmpty { mistaken += 1 }
            }
        }
        #expect(mistaken > 0, "the damage is done")
    }

    /// The parts of a file that its line breaks could change.
    private func parts(of bytes: [UInt8], at path: String) -> [String] {
        let file = ScenarioFile(bytes: bytes, of: path)
        var parts = file.mistakes.map(\.description)
        for scenario in file.scenarios + file.declarations {
            parts += ["\(scenario.position)", scenario.name, scenario.about ?? ""]
            for item in scenario.items { parts.append("\(item.position) \(item.name) \(item.control)") }
            for file in scenario.files { parts.append("\(file.position) \(file.name) \(file.protection)") }
            for step in scenario.steps {
                parts.append("\(step.position) \(step.words) \(step.expectation?.position.line ?? 0)")
            }
            for claim in scenario.claims { parts.append("\(claim.position)") }
        }
        return parts
    }

    /// The line breaks of any system, and a mark of the byte order, change neither what a file says nor its places.
    @Test func lineBreaksChangeNothing() throws {
        for fixture in try ScenarioFixtures.all() {
            let parts = parts(of: Array(fixture.text.utf8), at: fixture.path)
            for lineBreak in ["\r\n", "\r"] {
                let text = fixture.text.replacingOccurrences(of: "\n", with: lineBreak)
                #expect(self.parts(of: Array(text.utf8), at: fixture.path) == parts, "\(fixture.name)")
                #expect(self.parts(of: Array("\u{FEFF}\(text)".utf8), at: fixture.path) == parts, "\(fixture.name)")
            }
        }
    }

    @Test(arguments: ["", "\n", "\r\n\r\n", "\u{FEFF}", "# nothing", "---", "--- \n---\n...\n", "~", "null\n---\n\n"])
    func aFileWithoutContentHoldsNothing(text: String) {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "f")
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.scenarios.isEmpty && file.declarations.isEmpty)
    }

    /// Texts that aliases multiply by ten, again and again, are refused before they fill the memory.
    @Test(arguments: ["x", String(repeating: "x", count: 100_000)]) func whatAliasesMultiplyIsLimited(text: String) {
        var yaml = "a0: &a0 [\(Array(repeating: "\"\(text)\"", count: 10).joined(separator: ", "))]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            yaml += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let mistakes = ScenarioFile(bytes: Array(yaml.utf8), of: "f").mistakes
        #expect(
            mistakes.map(\.message) == [
                "the file holds more than 2000000 values or 64 MiB of text, counting the targets of aliases: split it"
            ])
        #expect(mistakes.allSatisfy { (2...10).contains($0.position.line) && $0.position.column > 1 })
    }

    /// An alias stands for the value at its anchor.
    @Test func anAliasReadsAsItsTarget() throws {
        let file = ScenarioFile(
            bytes: Array(
                """
                name: x
                items: { one: &policy { require: biometryAny }, two: *policy }
                steps: [&step { read: one }, *step]
                """.utf8), of: "f")
        #expect(file.mistakes.map(\.description) == [])
        let scenario = try #require(file.scenarios.first)
        #expect(scenario.items.map { "\($0.control)" } == Array(repeating: "whenUnlocked, biometryAny", count: 2))
        #expect(scenario.steps.map(\.words) == ["read one", "read one"])
    }

    @Test func tenThousandStepsAreReadInOrder() throws {
        let steps = (0..<10_000).map { "  - { wait: \($0)s }\n" }.joined()
        let file = ScenarioFile(bytes: Array("name: x\nsteps:\n\(steps)".utf8), of: "f")
        #expect(file.mistakes.map(\.description) == [])
        let scenario = try #require(file.scenarios.first)
        #expect(scenario.stepsToPlay == 10_000)
        #expect(scenario.steps.map(\.position.line) == Array(3..<10_003))
        #expect(scenario.steps.last?.words == "wait 9999s")
    }

    /// A long text is kept whole where it is a value, and cut where a message repeats it.
    @Test func aLongTextIsKeptAndNotRepeated() throws {
        let long = String(repeating: "é", count: 1 << 20)
        let kept = ScenarioFile(bytes: Array("name: x\nabout: \(long)\nsteps: [lock]".utf8), of: "f")
        #expect(try #require(kept.scenarios.first).about == long)
        let refused = ScenarioFile(bytes: Array("name: x\ndevice: \(long)\nsteps: [\(long)]".utf8), of: "f")
        #expect(refused.mistakes.map(\.position.line) == [2, 3])
        #expect(refused.mistakes.allSatisfy { $0.message.utf8.count < 1000 })
    }
}
