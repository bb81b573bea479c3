import Foundation
import TestSupport
import Testing

/// A shell in a terminal of its own, in which a test types lines and completes words.
final class ShellInTerminal {
    /// The result of completing a line.
    struct Answer: Equatable {
        /// The offers.
        var offered: Set<String> = []
        /// The line after the completion.
        var line = ""
    }

    private let terminal: CommandAtTerminal
    private let record: String

    /// Starts `shell`, which writes results into the file `record` and shows "ready> " before each line.
    init(_ shell: String, record: String, environment: [String: String]) throws {
        self.record = record
        try Data().write(to: URL(filePath: record))
        terminal = try CommandAtTerminal(
            ["-c", shell], program: "/bin/sh", environment: ["TERM": ""].merging(environment) { $1 })
        try terminal.wait(for: "ready> ")
    }

    /// Types a line, completes it, and presses the key that records the result.
    func complete(_ line: String) throws -> Answer {
        try Data().write(to: URL(filePath: record))
        terminal.type(line + "\t\u{18}p")
        try terminal.wait(for: "recorded")
        try terminal.wait(for: "ready> ")
        var answer = Answer()
        for line in try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("offered ") { answer.offered.insert(String(line.dropFirst(8))) }
            if line.hasPrefix("line ") { answer.line = String(line.dropFirst(5)) }
        }
        return answer
    }
}
