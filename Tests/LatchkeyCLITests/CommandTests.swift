import AccessPolicy
import Foundation
import TestSupport
import Testing

/// The built binary, run as a user would run it.
@Suite struct CommandTests {
    struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The binary that was built with these tests.
    static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "latchkey")

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
        try run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = Self.binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    @Test(arguments: ["--help", "-h", "help"]) func helpNamesEveryCommand(_ word: String) throws {
        let run = try run(word)
        #expect(run.status == 0)
        for command in ["demo", "rules"] { #expect(run.output.contains("\n  \(command) ")) }
        #expect(run.errors.isEmpty)
    }

    @Test func versionIsOneLine() throws {
        let run = try run("--version")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /latchkey \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: [
        (["ruls"], "latchkey: no command \"ruls\": did you mean rules?; see latchkey --help\n"),
        (["ruels"], "latchkey: no command \"ruels\": did you mean rules?; see latchkey --help\n"),
        (
            ["frobnicate"],
            "latchkey: no command \"frobnicate\": there are demo, rules, test, help; see latchkey --help\n"
        ),
        (["--versoin"], "latchkey: no option \"--versoin\": did you mean --version?; see latchkey --help\n"),
        (
            ["rules", "--formt=json"],
            "latchkey: no option \"--formt\": did you mean --format?; see latchkey rules --help\n"
        ),
        (["rules", "--format", "jsn"], "latchkey: no format \"jsn\": did you mean json?; see latchkey rules --help\n"),
        (["rules", "--format"], "latchkey: --format needs a value; see latchkey rules --help\n"),
        (
            ["rules", "--format", "json", "--format=json"],
            "latchkey: --format is given twice; see latchkey rules --help\n"
        ),
        (["rules", "json"], "latchkey: \"json\" is one word too many; see latchkey rules --help\n"),
        (["demo", "--colour"], "latchkey: no option \"--colour\": there are --help, -h; see latchkey demo --help\n"),
        (["--version", "x"], "latchkey: \"x\" is one word too many; see latchkey --help\n"),
        ([], "latchkey: name a command; see latchkey --help\n"),
        ([""], "latchkey: no command \"\": there are demo, rules, test, help; see latchkey --help\n"),
        (["\u{1B}[31m"], "latchkey: no command \"?[31m\": there are demo, rules, test, help; see latchkey --help\n"),
    ])
    func whatIsNotUnderstoodIsNamedInOneLine(_ arguments: [String], _ message: String) throws {
        let process = try run(arguments)
        #expect(process.status == 2)
        #expect(process.output.isEmpty)
        #expect(process.errors == message)
    }

    @Test(arguments: ["demo", "rules"]) func aCommandHelpsToo(_ command: String) throws {
        let run = try run(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("usage: latchkey \(command)"))
    }

    @Test func rulesListsTheCatalogue() throws {
        let lines = try run("rules").output.split(separator: "\n")
        #expect(lines.count == Rule.allCases.count + 1)
        for (line, rule) in zip(lines.dropFirst(), Rule.allCases) {
            #expect(line.hasPrefix(rule.identifier + " "))
            #expect(line.hasSuffix(rule.summary))
        }
    }

    @Test func rulesAsJSONIsJSON() throws {
        struct Entry: Decodable {
            let rule: String, effect: String, osStatus: Int32?, laError: Int?, grounds: String, section: String?,
                summary: String, remedy: String?
        }
        let text = try run("rules", "--format", "json").output
        let entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
        #expect(entries.map(\.rule) == Rule.allCases.map(\.identifier))
        #expect(entries.map(\.summary) == Rule.allCases.map(\.summary))
        #expect(entries.map(\.osStatus) == Rule.allCases.map { AppleStatus($0, Fidelity())?.status.rawValue })
        #expect(entries.map(\.laError) == Rule.allCases.map { AppleStatus($0, Fidelity())?.laError?.rawValue })
        #expect(entries.map(\.section) == Rule.allCases.map(\.facts.section))
    }

    @Test func theDocumentedCatalogueIsCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/rules.md"), encoding: .utf8)
        #expect(try page.hasSuffix(run("rules", "--format=markdown").output), "`make docs` writes it anew")
    }

    @Test func theDemonstrationIsTheSameEveryTimeAndIsCurrentInTheReadme() throws {
        let first = try run("demo")
        #expect(first.status == 0)
        #expect(try run("demo", environment: ["TERM": "xterm-256color"]).output == first.output)
        #expect(!first.output.contains("\u{1B}"), "no colour but on a terminal")
        let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(first.output))
    }

    @Test func theDemonstrationTellsTheStory() throws {
        let lines = try run("demo").output.split(separator: "\n").map(String.init)
        func cells(_ event: String, _ who: String) throws -> [String] {
            let first = try #require(lines.firstIndex { $0.hasPrefix(event + " ") })
            let line = who == "owner" ? lines[first] : lines[first + 1]
            return line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.suffix(5)
        }
        #expect(try cells("nothing", "thief").map { $0.hasPrefix("yes") } == [false, false, true, true, true])
        #expect(try cells("lock, and ten seconds", "owner").allSatisfy { $0.hasPrefix("no") })
        #expect(
            try cells("new finger: the thief's", "thief").map { $0.hasPrefix("yes") } == [
                true, false, true, true, true,
            ])
        #expect(
            try cells("that finger removed", "owner").map { $0.hasPrefix("yes") } == [true, false, true, true, true])
        #expect(
            try cells("five strangers' touches", "owner").map { $0.hasPrefix("yes") } == [
                false, false, true, true, true,
            ])
        #expect(try cells("passcode removed", "owner").allSatisfy { $0.hasPrefix("no") })
    }

    @Test func colourIsForTerminals() throws {
        // `script` gives the command a terminal of its own.
        let script = URL(filePath: "/usr/bin/script")
        try #require(FileManager.default.isExecutableFile(atPath: script.path))
        func shown(_ environment: [String: String]) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = script
            process.arguments = ["-qec", "\(Self.binary.path) demo", "/dev/null"]
            process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
                .merging(environment) { $1 }
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try shown([:]).contains("\u{1B}[32myes"))
        #expect(try !shown(["NO_COLOR": "1"]).contains("\u{1B}"))
    }

    @Test func aFullDiskIsSaidAndFails() throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = Self.binary
        process.arguments = ["demo"]
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        process.standardError = errors
        try process.run()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(String(decoding: complained, as: UTF8.self).hasPrefix("latchkey: standard output: "))
    }
}
