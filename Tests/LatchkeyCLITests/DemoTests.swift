import AccessPolicy
import ApplePlatform
import Foundation
import PlainText
import TestSupport
import Testing

/// `latchkey demo`.
@Suite(.waitsForProcesses) struct DemoTests {
    /// A folder in which the command creates its temporary folder, and which it must leave empty.
    private final class Place {
        private let home: TemporaryFolder
        let path: String

        init(_ name: String = "tmp") throws {
            home = try TemporaryFolder()
            path = home.path(name)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try PAMStack.restrict(path, 0o700)
        }

        var environment: [String: String] { ["TMPDIR": path] }
        var contents: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path) } }
    }

    @Test func itIsTheSameEveryTimeAndIsCurrentInTheReadme() throws {
        let (place, other) = (try Place(), try Place("another folder"))
        let first = try Command.run(["demo"], environment: place.environment)
        #expect(first.status == 0)
        #expect(first.errors.isEmpty)
        let environment = other.environment.merging(["TERM": "xterm-256color", "LANG": "de_DE.UTF-8"]) { $1 }
        #expect(try Command.run(["demo"], environment: environment).output == first.output)
        #expect(try place.contents == [] && other.contents == [])
        #expect(!first.output.contains("\u{1B}"), "no color but on a terminal")
        let page = try String(contentsOf: Repository.root.appending(path: "docs/demo.md"), encoding: .utf8)
        #expect(page.contains("```\n" + first.output + "```\n"))
    }

    @Test func itTellsTheStoryInShortLines() throws {
        let lines = try Command.run(["demo"]).output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect((40...70).contains(lines.count))
        let changed = Rule.biometrySetChanged
        let status = try #require(AppleStatus(changed, Fidelity())?.status)
        let story = [
            "PAM accepts it", "fake one", "\"correct house\" is typed", "PAM refuses it", "enrolled right index",
            "domain state 1.2", "the secret is s3cret", "copies the database", "PAM accepts it",
            "enrolled right index, left thumb", "denied by \(changed.identifier)", "because \(changed.summary)",
            "\(status.name) (\(status.rawValue))", "missing domain state 1.2", "new device file has no key",
            "refuses the copy", "domain state 1.3", "the secret is n3w", "The temporary folder is gone",
        ]
        var rest = lines.map { $0.split(separator: " ").joined(separator: " ") }[...]
        for part in story {
            let place = rest.firstIndex { $0.contains(part) }
            rest = rest[(try #require(place, "\(part) is missing, or comes too early") + 1)...]
        }
    }

    @Test func colorIsForTerminals() throws {
        func shown(_ noColor: String) throws -> String {
            let terminal = try CommandAtTerminal(["demo"], environment: ["NO_COLOR": noColor, "TERM": "xterm"])
            #expect(terminal.end() == 0)
            return terminal.shown
        }
        #expect(try shown("").contains("\u{1B}[32ms3cret\u{1B}[0m"))
        #expect(try !shown("1").contains("\u{1B}"))
    }

    @Test func stepsWaitForReturn() throws {
        let place = try Place()
        let terminal = try CommandAtTerminal(["demo", "--step"], environment: place.environment)
        for section in 1...9 {
            try terminal.wait(for: "[Return]")
            #expect(!terminal.shown.contains("\n\(section)  ") && !terminal.shown.contains("m\(section)  "))
            #expect(try place.contents.count == 1)
            terminal.type("\n")
        }
        #expect(terminal.end() == 0)
        #expect(terminal.shown.contains("The temporary folder is gone"))
        #expect(try place.contents == [])
    }

    @Test func stepsNeedATerminal() throws {
        let place = try Place()
        let run = try Command.run(["demo", "--step"], environment: place.environment)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("latchkey: --step needs a terminal"))
        #expect(try place.contents == [])
    }

    /// The user presses Ctrl-C or Ctrl-\ at the first pause or at a later one.
    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)], [1, 4])
    func whatEndsItAtAPauseLeavesNothingBehind(_ key: (String, Int32), _ pause: Int) throws {
        let place = try Place()
        let terminal = try CommandAtTerminal(["demo", "--step"], environment: place.environment)
        for number in 1...pause {
            try terminal.wait(for: "[Return]")
            #expect(try place.contents.count == 1)
            terminal.type(number == pause ? key.0 : "\n")
        }
        #expect(terminal.end() == -key.1)
        #expect(!terminal.shown.contains("The temporary folder is gone"))
        #expect(try place.contents == [])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func whatEndsItElsewhereLeavesNothingBehind(_ signal: Int32) throws {
        let place = try Place()
        let process = Process()
        let output = Pipe()
        Command.set(process, toRun: Command.binary, ["demo"])
        process.environment = Command.environment(place.environment)
        process.standardOutput = output
        try process.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        #expect(try place.contents.count == 1)
        kill(process.processIdentifier, signal)
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(!String(decoding: rest, as: UTF8.self).contains("The temporary folder is gone"))
        #expect(try place.contents == [])
    }

    @Test func whatIsIgnoredStaysIgnored() throws {
        let place = try Place()
        let command = "trap '' HUP; '\(Command.binary.path)' demo & sleep 0.3; kill -HUP $!; wait $!"
        let run = try Command.run(
            ["-c", command], environment: place.environment, program: URL(filePath: "/bin/sh"))
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("The temporary folder is gone, with everything in it.\n"))
    }

    @Test func aFullDiskIsSaidAndLeavesNothingBehind() throws {
        let place = try Place()
        let run = try Command.run(
            ["-c", "'\(Command.binary.path)' demo > /dev/full"], environment: place.environment,
            program: URL(filePath: "/bin/sh"))
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("latchkey: standard output: ") && run.errors.hasSuffix("\n"))
        #expect(try place.contents == [])
    }

    @Test(arguments: [("", 128 + SIGPIPE, ""), ("trap '' PIPE; ", 1, "latchkey: standard output: Broken pipe\n")])
    func aReaderThatIsGoneEndsItAsUsual(_ before: String, _ status: Int32, _ errors: String) throws {
        let place = try Place()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let process = Process()
        let complaints = Pipe()
        // The tests may ignore the signal, which a shell cannot undo.
        Command.set(
            process, toRun: URL(filePath: "/bin/bash"), ["-c", "\(before)'\(Command.binary.path)' demo; exit $?"])
        process.environment = Command.environment(place.environment)
        process.standardOutput = pipe
        process.standardError = complaints
        try process.run()
        let complained = try complaints.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        #expect(String(decoding: complained, as: UTF8.self) == errors)
        #expect(try place.contents == [])
    }

    /// An installed command has nothing of a build beside it.
    @Test func itNeedsNothingButTheProgramsThatAreInstalled() throws {
        let (place, elsewhere) = (try Place(), try Place())
        let alone = try Command.copy(into: elsewhere.path)
        let run = try Command.run(["demo"], environment: place.environment, program: alone)
        #expect(run.status == 0)
        #expect(try run.output == Command.run(["demo"]).output)
        #expect(run.errors.isEmpty)
        #expect(try place.contents == [])
    }

    @Test func withoutATemporaryFolderItSaysSo() throws {
        let run = try Command.run(["demo"], environment: ["TMPDIR": "/nowhere"])
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("TMPDIR"))
    }
}
