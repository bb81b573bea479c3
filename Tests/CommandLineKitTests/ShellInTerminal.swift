import Foundation
import TestSupport

/// A shell in a terminal of its own, in which a test types lines and completes words.
final class ShellInTerminal {
    /// The result of completing a line.
    struct Answer: Equatable {
        /// The offers.
        var offered: Set<String> = []
        /// The line after the completion.
        var line = ""
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var shown = ""
    private let record: String

    /// Starts `shell`, which writes results into the file `record` and shows "ready> " before each line.
    init(_ shell: String, record: String, environment: [String: String]) throws {
        self.record = record
        try Data().write(to: URL(filePath: record))
        Command.set(process, toRun: CommandInTerminal.script, ["-qec", shell, "/dev/null"])
        process.environment = Command.environment(environment)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try wait(for: "ready> ")
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    struct Ended: Error, CustomStringConvertible { let description: String }

    private func wait(for text: String) throws {
        while true {
            if let found = shown.range(of: text) {
                shown = String(shown[found.upperBound...])
                return
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Ended(description: "the shell has ended after: \(shown)") }
            shown += String(decoding: more, as: UTF8.self)
        }
    }

    /// Types a line, completes it, and presses the key that records the result.
    func complete(_ line: String) throws -> Answer {
        try Data().write(to: URL(filePath: record))
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\t\u{18}p").utf8))
        try wait(for: "recorded")
        try wait(for: "ready> ")
        var answer = Answer()
        for line in try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("offered ") { answer.offered.insert(String(line.dropFirst(8))) }
            if line.hasPrefix("line ") { answer.line = String(line.dropFirst(5)) }
        }
        return answer
    }
}
