import Foundation
import PolicyScenarios
import ScenarioFormat
import ScenarioFuzzer
import TestSupport
import Testing

/// Tests of hostile files: each is refused with a message and a place.
@Suite struct HostileFileTests {
    /// A file, and the first mistake that is reported for it.
    struct Case: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let said: String
        var testDescription: String { said }

        init(_ text: String, _ said: String) { self.init(Array(text.utf8), said) }
        init(_ bytes: [UInt8], _ said: String) { (self.bytes, self.said) = (bytes, said) }
    }

    private static func bytes(_ text: String, _ rest: UInt8..., then end: String = "") -> [UInt8] {
        Array(text.utf8) + rest + Array(end.utf8)
    }

    static let cases: [Case] = [
        .init(
            "a: \"b\n",
            "2:1: not YAML: found unexpected end of stream, while scanning a quoted scalar; this part begins in line 1"
        ),
        .init("a: [b, {c: d]\n", "1:13: not YAML: expected a comma or a }"),
        .init("[", "1:2: not YAML: did not find expected node content, while parsing a flow node"),
        .init("a: b\nc", "2:2: not YAML: could not find expected ':', while scanning a simple key"),
        .init("a:\n\tb: c\n", "2:1: not YAML: a tab: indent YAML with spaces, while scanning for the next token"),
        .init(
            "é: ü\nà:\n\tb: c", "3:1: not YAML: a tab: indent YAML with spaces, while scanning for the next token"),
        .init("a: 1\nb: 2\na: 3\n", "3:1: duplicate key \"a\", first used in line 1"),
        .init(bytes("é: b\na: ü", 0), "2:5: not a text file in UTF-8: control characters are not allowed (0x0)"),
        .init("a: b\u{1B}[2J", "1:5: not a text file in UTF-8: control characters are not allowed (0x1B)"),
        .init("a: \"\\0\"", "1:4: a text holds a NUL byte: remove it"),
        .init(bytes("a: b\né: ü", 0xFF), "2:5: not a text file in UTF-8: invalid leading UTF-8 octet (0xFF)"),
        .init(bytes("é: ", 0x80, then: "b\n"), "1:4: not a text file in UTF-8: invalid leading UTF-8 octet (0x80)"),
        .init(bytes("a: ", 0xC0, 0xAF), "1:4: not a text file in UTF-8: invalid length of a UTF-8 sequence"),
        .init(
            bytes("a\r\n\r\n: ", 0xED, 0xA0, 0x80), "3:3: not a text file in UTF-8: invalid Unicode character (0xD800)"),
        .init(bytes("", 0xFF, 0xFE, 0x61, 0), "1:1: the file is UTF-16: save it as UTF-8"),
        .init(bytes("", 0xFE, 0xFF, 0, 0x61), "1:1: the file is UTF-16: save it as UTF-8"),
        .init("\u{FEFF}nome: x", "1:1: a scenario has no key \"nome\": did you mean name?"),
        .init("name: x\r\nsteps: [lok]\r\n", "2:9: unknown step \"lok\": did you mean lock?"),
        .init("name: x\rsteps: [lok]\r", "2:9: unknown step \"lok\": did you mean lock?"),
        .init("a: !!binary b", "1:4: tags such as tag:yaml.org,2002:binary are not supported: remove the tag"),
        .init("%TAG ! x:\n--- a\n", "1:1: tags are not supported: remove this line"),
        .init("? [a, b]\n: c\n", "1:3: a key must be a text, not a list or mapping"),
        .init("a: &a {b: c}\nd: {<<: *a}", "2:5: merge keys are not supported: declare a policy and use its name"),
        .init("a: *b", "1:4: no anchor &b comes before this alias"),
        .init("a: &a [*a]", "1:8: the alias *a is inside its own anchor"),
        .init(
            "a: &a [x]\n" + (1...40).map { "a\($0): &a\($0) [*a\($0 == 1 ? "" : "\($0 - 1)")]\n" }.joined(),
            "32:12: nested more than 32 levels deep"),
        .init(String(repeating: "[", count: 100_000), "1:34: nested more than 32 levels deep"),
        .init(String(repeating: "{", count: 100_000), "1:34: nested more than 32 levels deep"),
        .init(String(repeating: "- ", count: 100_000), "1:67: nested more than 32 levels deep"),
        .init(String(repeating: "? ", count: 100_000), "1:67: nested more than 32 levels deep"),
        .init(String(repeating: "x", count: 17 << 20), "1:1: the file is larger than 16 MiB: split it"),
        .init(
            String(repeating: "name: x\nsteps: [lock]\n---\n", count: 10_001),
            "30001:1: the file has more than 10000 documents: split it"),
        .init(
            "name: x\nfor each: {a: [\(list(10_001))]}\nsteps: [lock]", "2:11: more than 10000 rows: split the table"),
        .init(
            "name: x\nfor each: {a: [\(list(101))], b: [\(list(101))]}\nsteps: [lock]",
            "2:11: more than 10000 rows: split the table"),
        .init("name: x\nfor each: []\nsteps: [lock]", "2:11: a table needs at least one row"),
        .init("name: x\nfor each: {a: []}\nsteps: [lock]", "2:11: a table needs at least one row"),
        .init(
            "name: x\nfor each: {\((0...100).map { "c\($0): [1]" }.joined(separator: ", "))}\nsteps: [lock]",
            "2:1002: more than 100 columns: split the table"),
        .init(
            "name: x\nfor each: {a: [\(list(10_000))]}\nabout: \(String(repeating: "x", count: 10_000))\nsteps: [lock]",
            "2:11: with its rows and included files, the file holds more than 2000000 values or 64 MiB of text: split it"
        ),
        .init(
            "name: x\nsteps: [\(String(repeating: "{lock: , times: 1000000},", count: 11))]",
            "1:1: with this scenario, the file plays more than 10000000 steps, counting replays: split it"),
        .init(
            "name: x\nsteps: [{wait: 99999999999999999999d}]",
            "2:16: expected a length of time such as 30s, 5m, 48h or 1h 30m, found \"99999999999999999999d\""),
        .init(
            "name: x\nsteps: [{lock: , times: 99999999999999999999}]",
            "2:25: expected a whole number from 1 to 1000000, found \"99999999999999999999\""),
    ]

    private static func list(_ count: Int) -> String {
        (0..<count).map { "\($0)" }.joined(separator: ",")
    }

    @Test(arguments: cases) func itIsSaidWhatIsWrongAndWhere(hostile: Case) {
        let file = ScenarioFile(bytes: hostile.bytes, of: "f")
        #expect(file.mistakes.first?.description == "f:\(hostile.said)")
        #expect(file.scenarios.isEmpty)
    }

    /// The corpus that libFuzzer collected, and the inputs that once exposed a fault.
    @Test func whatTheFuzzerKnowsIsRead() throws {
        let folder = Repository.root.appending(path: "Fixtures/fuzz/scenarios")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 30)
        for file in files {
            let fault = ScenarioCheck.fault(with: Array(try Data(contentsOf: file)))
            #expect(fault == nil, "\(file.lastPathComponent): \(fault ?? "")")
        }
    }

    /// The fuzzer's dictionary has the words of the format.
    @Test func theFuzzersWordsAreThoseOfTheFormat() throws {
        let words = try String(
            contentsOf: Repository.root.appending(path: "Fixtures/fuzz/scenarios.dict"), encoding: .utf8)
        let known = Set(words.split(separator: "\n").map { $0.dropFirst().dropLast() })
        for field in [
            "steps", "items", "for each", "prompt budget", "meanwhile", "flips-with", "biometryCurrentSet", "restore",
            "files", "completeUnlessOpen", "file.held-when-locked",
        ] {
            #expect(known.contains(field[...]), "\(field) is missing")
        }
    }

    // MARK: - Unexpected values

    /// Values that are wrong in most places.
    private static let strangers = [
        "", "~", "x", "\"\"", "[]", "{}", "[[]]", "[x, y]", "{x: y}", "[{x: y}]", "-1", "99999999999999999999", "true",
        "\"\\e[31m\"", "\"\\u0085\"", "$x", "\(String(repeating: "x", count: 100_000))",
    ]

    private static let places: [String] = {
        let device = ["preset", "biometry", "passcode", "enrolled", "companion", "lockGrace", "attemptEnd"]
        let item = [
            "class", "accessible", "require", "policy", "service", "account", "port", "group", "app", "synchronizable",
            "secret", "applicationPassword", "stored",
        ]
        let actions = [
            "add", "read", "attributes", "reference", "exists", "inventory", "update", "delete", "sign", "agree",
            "decrypt", "decapsulate", "evaluate", "canEvaluate", "invalidate", "create", "lock", "unlock", "reboot",
            "lockRemotely",
            "holdButtons", "removePasscode", "resetBiometry", "erase", "enroll", "remove", "setPasscode", "companion",
            "wait", "install", "uninstall", "permitBiometry", "denyBiometry", "backup", "restore", "hold", "expect",
        ]
        let fileActions = ["write", "begin", "open", "append", "close", "rename", "protect", "exclude", "unlink"]
        let asking = [
            "by", "app", "context", "interaction", "reuse", "applicationPassword", "meanwhile", "secret", "set",
            "policy", "accessible", "require", "times", "note",
        ]
        let expected = [
            "granted", "reusesUnlock", "denied", "refused", "happens", "status", "laError", "prompts",
            "permissionAlerts", "secret", "found", "items", "domainState", "device", "flips-with",
        ]
        let query = ["class", "limit", "return", "synchronizable", "group", "account", "port", "accessible"]
        let person = ["fingers", "passcode", "wearsCompanion", "dismisses", "knowsBackupPassword"]
        return [
            "name", "about", "include", "device", "fidelity", "apps", "people", "policies", "items", "files",
            "for each",
        ]
        .map { "{name: n, steps: [lock], \($0): §}" }
            + ["steps", "prompt budget"].map { "{name: n, \($0): §}" }
            + device.map { "{name: n, device: {\($0): §}, steps: [lock]}" }
            + ["groups", "entitled", "faceIDPermission", "declaresFaceIDUsage"]
            .map { "{name: n, apps: {a: {\($0): §}}, steps: [lock]}" }
            + person.map { "{name: n, people: {p: {\($0): §}}, steps: [lock]}" }
            + item.map { "{name: n, items: {i: {\($0): §}}, steps: [{read: i}]}" }
            + ["protection", "excludedFromBackup", "stored"]
            .map { "{name: n, files: {f: {\($0): §}}, steps: [{write: f}]}" }
            + fileActions.map { "{name: n, files: {f: , x: none}, steps: [{\($0): §, to: f, as: none}, {\($0): §}]}" }
            + ["to", "as", "protection"].map { "{name: n, files: {f: , x: none}, steps: [{rename: f, \($0): §}]}" }
            + ["denied", "files", "flips-with"].map {
                "{name: n, files: {f: }, steps: [{open: f, expect: {\($0): §}}]}"
            }
            + actions.map { "{name: n, items: {i: , x: }, steps: [{\($0): §}]}" }
            + asking.map { "{name: n, items: {i: , x: }, steps: [{update: i, \($0): §}]}" }
            + query.map { "{name: n, items: {i: , x: }, steps: [{read: {\($0): §}}]}" }
            + expected.map { "{name: n, items: {i: , x: }, steps: [{read: i, expect: {\($0): §}}]}" }
    }()

    /// Each key gets each unexpected value. Either the file has a mistake on that line, or its scenario can be played.
    @Test func nothingIsTooStrangeForAnyKey() {
        for place in Self.places {
            for stranger in Self.strangers {
                let text = place.split(separator: "§", omittingEmptySubsequences: false).joined(separator: stranger)
                let fault = ScenarioCheck.fault(with: Array(text.utf8))
                #expect(fault == nil, "\(place) with \(stranger.prefix(40)): \(fault ?? "")")
            }
        }
        #expect(Self.places.count > 100)
    }

    // MARK: - Long files

    /// A file of ten times the size takes about ten times as long, and not a hundred times.
    @Test(arguments: [
        "items: {§i%: {stored: false},§}\nsteps: [lock]",
        "people: {§p%: {passcode: \"1\"},§}\nsteps: [§{hold: p%},§]",
        "policies: {§p%: {require: userPresence},§}\nitems: {§i%: {policy: p%, stored: false},§}\nsteps: [lock]",
        "items: {§i%: {stored: false},§}\nsteps: [§{expect: {items: {i%: absent}}},§]",
        "items: {§i%: {stored: false},§}\nsteps: [§{read: j%},§]",
        "files: {§f%: {stored: false},§}\nsteps: [§{open: f%},§]",
        "files: {§f%: {stored: false},§}\nsteps: [§{open: g%},§]",
        "people: {§p%: ,§}\nsteps: [§{read: a, by: q%},§]",
        "steps: [§{x%: y},§]",
    ]) func readingTakesTimeByLength(text: String) {
        func time(_ count: Int) -> Duration {
            let parts = text.split(separator: "§", omittingEmptySubsequences: false)
            var file = "name: x\n"
            for (place, part) in parts.enumerated() {
                let halves = part.split(separator: "%", omittingEmptySubsequences: false)
                file += place % 2 == 0 ? String(part) : (0..<count).map { halves.joined(separator: "\($0)") }.joined()
            }
            let bytes = Array(file.utf8)
            return Patience.work { _ = ScenarioFile(bytes: bytes, of: "f") }
        }
        _ = time(300)
        let (few, many) = (time(3000), time(30_000))
        #expect(many < few * 40 + .milliseconds(500), "\(few) for 3,000 and \(many) for 30,000")
    }
}
