import Foundation
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Tests that the JSON Schema agrees with the command: an independent validator gives the same answer for every file.
@Suite struct SchemaTests {
    static let path = Repository.root.appending(path: "docs/scenario.schema.json").path

    /// Returns the validator's error for each document of each text; nil if there is none.
    private func checked(_ texts: [String]) throws -> [[String?]] {
        let folder = try TemporaryFolder()
        try JSONEncoder().encode(texts).write(to: URL(filePath: folder.path("cases")))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            Repository.root.appending(path: "Tests/Support/SchemaValidator/validate.py").path, Self.path,
            folder.path("cases"),
        ]
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "Scripts/install-packages test installs what the validator needs")
        return try JSONDecoder().decode([[String?]].self, from: said)
    }

    private func isRefused(_ text: String, of path: String = "example.yaml") -> Bool {
        !ScenarioFile(bytes: Array(text.utf8), of: path).mistakes.isEmpty
    }

    @Test func theFileIsCurrent() throws {
        let file = try String(contentsOfFile: Self.path, encoding: .utf8)
        #expect(file == JSONSchema.text(), "`make docs` writes it anew")
        #expect(file.utf8.count < 200_000, "editors load it for every file")
    }

    @Test func everyFixtureIsValid() throws {
        let fixtures = try ScenarioFixtures.all()
        let judgments = try checked(fixtures.map(\.text))
        #expect(judgments.count == fixtures.count)
        for (fixture, result) in zip(fixtures, judgments) {
            #expect(!result.isEmpty)
            #expect(result.allSatisfy { $0 == nil }, "\(fixture.name): \(result)")
        }
    }

    /// The disputed points that scenarios cannot show, since only code with Apple's names sees the difference.
    static let useless: Set<String> = ["matchOnAdd", "successText", "emptyPort"]

    /// Every key has an example among the fixtures.
    @Test func theFixturesUseEveryKeyOfTheFormat() throws {
        struct Part: Decodable {
            var keys: Set<String> = []

            init(from decoder: any Decoder) throws {
                if let object = try? decoder.container(keyedBy: Key.self) {
                    for key in object.allKeys {
                        let part = try object.decode(Part.self, forKey: key)
                        keys.formUnion(part.keys)
                        if key.stringValue == "properties" {
                            let properties = try object.nestedContainer(keyedBy: Key.self, forKey: key)
                            keys.formUnion(properties.allKeys.map(\.stringValue))
                        }
                    }
                } else if var list = try? decoder.unkeyedContainer() {
                    while !list.isAtEnd { keys.formUnion(try list.decode(Part.self).keys) }
                }
            }

            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let keys = try JSONDecoder().decode(Part.self, from: Data(JSONSchema.text().utf8)).keys
        #expect(keys.count > 120)
        let lines = try ScenarioFixtures.all().flatMap { $0.text.split(separator: "\n") }
            .filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        let text = lines.joined(separator: "\n")
        let unused = try keys.filter { key in
            // A word can be a key with a value, a key without one in braces, or a whole step.
            let name = NSRegularExpression.escapedPattern(for: key)
            let pattern = try NSRegularExpression(pattern: "(?m)(?<![\\w-])\(name)(: | *[:,}]|:?$)")
            return pattern.firstMatch(in: text, range: NSRange(location: 0, length: (text as NSString).length)) == nil
        }
        #expect(unused == Self.useless)
    }

    /// Keys and words, each with a likely misspelling. Cells of tables are left out: a cell fits or not where it
    /// is used.
    static let slips: [(right: String, wrong: String)] = [
        (#"(?m)^steps:"#, "step:"), (#"(?m)^items:"#, "item:"), (#"(?m)^name:"#, "nmae:"),
        (#"(?m)^for each:"#, "foreach:"), (#"(?m)^fidelity:"#, "fidelty:"), (#"(?m)^    expect:"#, "    expects:"),
        (#"(?m)^  - read:"#, "  - reads:"), (#"(?m)^  - update:"#, "  - updates:"), (#"(?m)^  - add:"#, "  - ad:"),
        (#"(?m)^    interaction:"#, "    interactions:"), (#"(?m)^    context:"#, "    contexts:"),
        (#"(?m)^  (\w+): \{ require:"#, "  $1: { requires:"), (#"(?m)^  (\w+): \{ accessible:"#, "  $1: { accesible:"),
        (#"expect: \{ granted"#, "expect: { granded"), (#"expect: \{ denied"#, "expect: { deneid"),
        (#"(?m)^    expect: granted$"#, "    expect: grantd"), (#"(?m)^    expect: refused$"#, "    expect: refuse"),
        (#"(?m)^    interaction: fail$"#, "    interaction: fails"),
        (#"(?m)^(    expect: .*) status: errSec(\w)"#, "$1 status: errsec$2"),
        (#"(?m)^(    expect: .*) prompts: biometry"#, "$1 prompts: biometri"),
        (#"require: biometryAny"#, "require: biometry Any"),
        (#"accessible: whenUnlocked\b"#, "accessible: whenUnlockd"), (#"(?m)^  - lock$"#, "  - locks"),
        (#"(?m)^  - wait: (\d+)s"#, "  - wait: $1 seconds"), (#"(?m)^    times: \d+"#, "    times: often"),
        (#"items: \{ (\w+): present"#, "items: { $1: presnt"), (#"domainState: changed"#, "domainState: change"),
        (#"(?m)^device: iPhoneWithFaceID"#, "device: iPhoneWithFace"), (#"prompt budget: \d+"#, "prompt budget: few"),
        (#"flips-with:"#, "flip-with:"),
    ]

    @Test func whatIsMisspelledIsRefusedByBoth() throws {
        var texts: [(name: String, path: String, text: String)] = []
        let fixtures = try ScenarioFixtures.all().filter { try !ScenarioFile($0.path).scenarios.isEmpty }
        var unused: [String] = []
        for (right, wrong) in Self.slips {
            let pattern = try NSRegularExpression(pattern: right)
            var found = 0
            for fixture in fixtures {
                let text = fixture.text as NSString
                let all = NSRange(location: 0, length: text.length)
                let cells = try NSRegularExpression(pattern: #"(?m)(?<=^for each:\n)(?: .*\n)+"#)
                    .matches(in: fixture.text, range: all).map(\.range)
                let match = pattern.matches(in: fixture.text, range: all).first { match in
                    cells.allSatisfy { NSIntersectionRange($0, match.range).length == 0 }
                }
                guard let match else { continue }
                found += 1
                let replaced = pattern.replacementString(
                    for: match, in: fixture.text, offset: 0, template: wrong.replacing("$$", with: "\\$"))
                texts.append((fixture.name, fixture.path, text.replacingCharacters(in: match.range, with: replaced)))
            }
            if found == 0 { unused.append(right) }
        }
        #expect(unused == [], "no fixture has these")
        #expect(texts.count > 500)
        let judgments = try checked(texts.map(\.text))
        for (mutated, result) in zip(texts, judgments) {
            #expect(result.contains { $0 != nil }, "the schema takes \(mutated.name):\n\(mutated.text)")
            #expect(isRefused(mutated.text, of: mutated.path), "the reader takes \(mutated.name):\n\(mutated.text)")
        }
    }

    /// The schema and the command both accept a value as it is written, whatever type YAML gives it.
    @Test(arguments: [
        #"passcode: 1234"#, #"passcode: "1234""#, #"passcode: 0007"#, #"passcode: no"#, #"passcode: 12:30"#,
        #"passcode: 2026-01-01"#, #"passcode: true"#, #"passcode: 1e3"#, #"passcode: 0x10"#, #"passcode: none"#,
        #"enrolled: right index"#, #"enrolled: [1, 2]"#, #"enrolled: []"#, #"lockGrace: 1h 30m"#, #"companion: ready"#,
    ]) func whatIsWrittenIsTakenByBoth(_ line: String) throws {
        let text = "name: x\ndevice: { \(line) }\nsteps:\n  - expect: { items: {} }\n"
        #expect(try checked([text]) == [[nil]])
        #expect(ScenarioFile(bytes: Array(text.utf8), of: "example.yaml").mistakes.map(\.description) == [])
    }

    /// Reports write the remedy `enrol`, and files may use either spelling.
    @Test(arguments: ["enrol", "enroll", "[enrol]", "[enroll, { enroll: left thumb }]"])
    func aRemedyIsTakenInBothSpellingsByBoth(_ flips: String) throws {
        let text = """
            name: x
            device: { enrolled: [] }
            items: { y: { require: biometryAny, stored: false } }
            steps:
              - { add: y, expect: { denied: biometry.not-enrolled, flips-with: \(flips) } }
            """
        #expect(try checked([text]) == [[nil]])
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.scenarios.map { $0.run().passed } == [true])
    }

    @Test(arguments: [
        "name: x\n", "steps: [lock]\n", "name: x\nsteps: [lok]\n", "name: x\nsteps: [{ lock: , read: y }]\n",
        "name: x\nsteps: [{ by: owner }]\n", "name: x\nsteps: [{ times: 0, lock: }]\n",
        "name: x\nsteps: [{ wait: 5 }]\n", "name: x\nsteps: [{ wait: five minutes }]\n",
        "name: x\nsteps: [{ lock: , interaction: fail }]\n", "name: x\nitems: { y: { require: any } }\nsteps: [lock]\n",
        "name: x\nsteps: [{ lock: , expect: { device: { locked: maybe } } }]\n",
        "name: x\nitems: { y: { class: certificate } }\nsteps: [lock]\n", "name: x\nitems: y\nsteps: [lock]\n",
        "name: x\nitems: { y: }\nsteps: [{ read: y, expect: { prompts: -1 } }]\n",
        "name: x\nitems: { y: }\nsteps: [{ read: y, expect: { prompts: { at least: 1 } } }]\n",
    ]) func whatIsWrongIsRefusedByBoth(_ text: String) throws {
        let result = try #require(try checked([text]).first)
        #expect(result.contains { $0 != nil }, "the schema takes it")
        #expect(isRefused(text), "the reader takes it")
    }
}
