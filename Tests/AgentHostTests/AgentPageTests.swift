import AgentProtocol
import Foundation
import PlainText
import Testing
import UserPresence

/// docs/agent.md agrees with the code.
@Suite struct AgentPageTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let page: String

    init() throws {
        page = try String(contentsOf: Self.package.appending(path: "docs/agent.md"), encoding: .utf8)
    }

    /// Returns the cells of the table rows below a heading.
    private func rows(below heading: String) -> [[String]] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0 == "## \(heading)" } ?? lines.endIndex
        return lines[start...].dropFirst().prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("|") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    private func words(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test func itHasEveryRequestWithItsFields() {
        var fields: [String: Set<String>] = [:]
        for request in MessageTests.requests {
            guard case .string(let word) = request.head["do"] else { continue }
            fields[word, default: []].formUnion(request.head.fields.keys.filter { $0 != "do" })
        }
        let rows = rows(below: "Requests").filter { $0[0].hasPrefix("`") }
        #expect(Set(rows.flatMap { words($0[0]) }) == Set(fields.keys))
        for row in rows {
            #expect(Set(words(row[1])) == fields[words(row[0])[0]], "\(row[0])")
        }
    }

    @Test func itHasEveryKindWishAndEnding() {
        let kinds = rows(below: "Errors").filter { $0[0].hasPrefix("`") }
        #expect(Set(kinds.flatMap { words($0[0]) }) == Set(AgentError.Kind.allCases.map(\.rawValue)))
        #expect(Set(kinds.map { $0[1] }).count == kinds.count)
        let prompts = rows(below: "Prompts").filter { $0[0].hasPrefix("`") }
        let wishes = prompts.filter { !$0[0].hasPrefix("`{") }.flatMap { words($0[0]) }
        #expect(Set(wishes) == Set(PromptContent.Kind.onTheWire.map(\.word)))
        for (word, _) in Prompt.Ending.onTheWire { #expect(page.contains("`\(word)`"), "\(word)") }
        for word in ["typed", "touch", "confirm", "fallback", "cancel"] {
            #expect(page.contains(#"{"answer":"\#(word)""#), "\(word)")
        }
    }

    @Test func itHasEveryLimit() {
        let limits = rows(below: "Limits").dropFirst(2).map { $0[0] + " " + $0.last! }.joined(separator: "\n")
        for limit in [
            WireLimits.version, WireLimits.headToAgent, WireLimits.headFromAgent, WireLimits.secret, WireLimits.typed,
            Int(WireLimits.patience), Int(WireLimits.promptPatience), WireLimits.clients, WireLimits.secretsUnderWay,
        ] {
            #expect(limits.contains(" \(limit)"), "\(limit)")
        }
    }

    /// The statuses are the command's.
    @Test func itHasTheStatusesThatCommandsExitWith() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: RunningAgent.binary)
        process.arguments = ["help", "exit-status"]
        process.standardOutput = output
        try process.run()
        let help = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let statuses = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in rows(below: "Errors") where row[0].hasPrefix("`") && !["`exists`", "`request`"].contains(row[0]) {
            let meaning = row[2].split(separator: ";")[0]
            #expect(statuses.contains(" \(row[1]) \(meaning)"), "\(row)")
        }
    }
}
