import Foundation
import TestSupport
import Testing

/// The commands around scenarios, on malicious files.
@Suite(.waitsForProcesses) struct HostileCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func write(_ text: String, as name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    private static let steering = """
        name: "\\e]0;x\\a \\x9b31m \\u202e n"
        items: { "t\\e[31m\\x9b": {require: userPresence, secret: "\\e[5m"} }
        steps: [{read: "t\\e[31m\\x9b", by: stranger, context: "c\\e"}]
        """

    /// Returns true if the text contains nothing that controls a terminal.
    private func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\r"
            case .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    @Test func nothingSteersTheTerminal() throws {
        let paths =
            try ["a.yaml", "b\u{1B}[31m\n \"q\u{9B}.yaml"].map { try write(Self.steering, as: $0) }
            + [write("x: [\n", as: "c\u{1B}\n.yaml")]
        for path in paths {
            let commands =
                ["human", "tap", "junit", "json", "github", "html"].map { ["test", path, "--names", "--format", $0] }
                + ["table", "markdown", "csv", "json", "html"].map { ["matrix", path, "--format", $0] }
                + [["explain", path], ["explain", path, "--item", "\u{1B}"], ["test", path, "--mutate"]]
            for command in commands {
                let run = try Command.run(command)
                #expect(isHarmless(run.output) && isHarmless(run.errors), "\(command): \(run.output)\(run.errors)")
                #expect((0...2).contains(run.status) && (run.status != 2 || run.output.isEmpty), "\(command)")
            }
        }
    }

    @Test(arguments: ["test", "explain", "matrix"]) func whatIsNoFileIsSaidAtOnce(command: String) throws {
        #expect(mkfifo(folder.path("pipe.yaml"), 0o600) == 0)
        let link = folder.path("circle.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        for path in [folder.path("pipe.yaml"), link, "/dev/zero", "/proc/self/mem", folder.path("none.yaml")] {
            let run = try Command.run(command, path)
            #expect(
                run.status == 2 && run.output.isEmpty && run.errors.hasPrefix("latchkey: "), "\(path): \(run.errors)")
        }
    }

    /// Large files, and small ones that expand to a thousand million values, take little time and memory.
    @Test func littleStandsForNoMoreThanThereMayBe() throws {
        var laughs = "a0: &a0 [\(Array(repeating: "x", count: 9).joined(separator: ","))]\n"
        for place in 1...10 {
            laughs += "a\(place): &a\(place) [\(Array(repeating: "*a\(place - 1)", count: 9).joined(separator: ","))]\n"
        }
        let text =
            "a: &a '\(String(repeating: "x", count: 1_000_000))'\nb: [\(String(repeating: "*a,", count: 100_000))]"
        let many = "name: x\nsteps:\n" + String(repeating: "- a\n", count: 2_000_001)
        let directives = (0..<300_000).map { "%TAG !a\($0)! x\n" }.joined()
        for (name, content) in [("laughs", laughs), ("text", text), ("many", many), ("directives", directives)] {
            let path = try write(content, as: "\(name).yaml")
            let python = """
                import resource, subprocess, sys
                run = subprocess.run(sys.argv[1:], capture_output=True, timeout=60)
                print(run.returncode, len(run.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
                """
            let run = try Command.run(
                ["-c", python, Command.binary.path, "test", path], program: URL(filePath: "/usr/bin/python3"))
            let numbers = run.output.split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
            #expect(numbers.count == 3 && numbers[0] == 2 && numbers[1] == 0, "\(name): \(run.output)\(run.errors)")
            #expect(numbers.last ?? .max < 300, "\(name): \(numbers) MiB")
        }
    }

    /// Backups are files, and go also when the command is ended in the middle. That is tried often, because a run that loses its files
    /// to the signal must not end by that failure.
    @Test(arguments: [SIGTERM, SIGHUP], 0..<10) func aCommandThatIsEndedLeavesNothing(signal: Int32, time: Int) throws {
        let path = try write(
            "name: x\nitems: {a: }\nsteps: [{backup: encrypted}, {backup: encrypted, times: 900000}]", as: "a.yaml")
        let place = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let process = Process()
        Command.set(process, toRun: Command.binary, ["test", path])
        process.environment = Command.environment(["TMPDIR": place])
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while try FileManager.default.contentsOfDirectory(atPath: place).isEmpty && process.isRunning { usleep(1000) }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal, "time \(time)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
    }
}
