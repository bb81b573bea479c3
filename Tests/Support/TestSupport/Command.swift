internal import CTestEnvironment
package import Foundation

/// The built `latchkey`, run as a user would run it.
package enum Command {
    /// The outcome of a run.
    package struct Run {
        /// The exit status.
        package let status: Int32
        /// The text on standard output.
        package let output: String
        /// The text on standard error.
        package let errors: String
    }

    /// The binary that was built with these tests.
    package static let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "latchkey")

    /// The binary that tests run: a copy of the built one, for which guesses of passcodes are cheap (`GuessCost`).
    package static let binary: URL = {
        do { return try GuessCost.cheapCommand(from: built) } catch {
            fatalError("the command cannot be copied: \(error)")
        }
    }()

    /// Returns the environment of the tests with `changes`, and without the variables that are empty there.
    ///
    /// Nothing in it comes from the user who runs the tests: `Tests/Support/CTestEnvironment` has made it.
    package static func environment(_ changes: [String: String]) -> [String: String] {
        precondition(latchkey_tests_environment_is_made(), "this process does not run the tests")
        return
            ProcessInfo.processInfo.environment.merging(changes) { $1 }.filter { changes[$0.key] != "" }
    }

    /// Has `process` run `program` with no signal ignored, even if the tests were started so that they ignore some, as a shell starts
    /// its background jobs.
    package static func set(_ process: Process, toRun program: URL, _ arguments: [String]) {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--default-signal", program.path] + arguments
    }

    /// Runs the command until it ends.
    package static func run(_ arguments: String...) throws -> Run { try run(arguments) }

    /// Runs the command, or another program, until it ends.
    package static func run(
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
