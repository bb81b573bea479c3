import Foundation

/// The built binary, run as a user would run it.
enum Command {
    struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The binary that was built with these tests.
    static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "latchkey")

    /// The environment of the tests with `changes`; what is empty there is left out.
    static func environment(_ changes: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(changes) { $1 }.filter { changes[$0.key] != "" }
    }

    /// Has `process` run `program` with no signal ignored, even if the tests were started so that they ignore some, as a shell starts
    /// its background jobs.
    static func set(_ process: Process, toRun program: URL, _ arguments: [String]) {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--default-signal", program.path] + arguments
    }

    static func run(_ arguments: String...) throws -> Run { try run(arguments) }

    static func run(
        _ arguments: [String], environment: [String: String] = [:], program: URL = binary
    ) throws -> Run {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        set(process, toRun: program, arguments)
        process.environment = self.environment(environment)
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
}

/// The command in a terminal of its own, which `script` gives it, with somebody at the keys.
final class CommandInTerminal {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private(set) var shown = ""

    static let script = URL(filePath: "/usr/bin/script")

    convenience init(_ arguments: String, environment: [String: String] = [:]) throws {
        try self.init(line: "exec '\(Command.binary.path)' \(arguments)", environment: environment)
    }

    /// With a line for a shell in the place of the command.
    init(line: String, environment: [String: String] = [:]) throws {
        Command.set(process, toRun: Self.script, ["-qec", line, "/dev/null"])
        process.environment = Command.environment(environment)
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    func type(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

    /// Waits until `text` has been shown so often; false where the command ended without that.
    func wait(for text: String, times: Int = 1) -> Bool {
        while shown.ranges(of: text).count < times {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return false }
            shown += String(decoding: more, as: UTF8.self)
        }
        return true
    }

    /// Waits for its end, and says what it exited with: 128 more than the signal where one has ended it.
    func end() throws -> Int32 {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        shown += String(decoding: rest, as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus
    }
}
