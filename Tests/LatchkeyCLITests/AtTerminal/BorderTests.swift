import Foundation
import TestSupport
import Testing

/// The color and the borders of tables, which only a terminal gets that can show them.
@Suite(.waitsForProcesses) struct BorderTests {
    private static let threats = ["threats", "--require", "biometryCurrentSet"]
    private static let capable = ["TERM": "xterm-256color", "NO_COLOR": "", "LC_ALL": "C.UTF-8"]
    private static var colors: Regex<Substring> { /\u{1B}\[[0-9]*m/ }

    /// Returns what a command writes to a terminal of this width, with these differences from a capable one.
    private func shown(_ words: [String], _ differences: [String: String] = [:], columns: UInt16 = 160) throws -> String
    {
        let command = try CommandAtTerminal(
            words, environment: Self.capable.merging(differences) { $1 }, columns: columns)
        #expect(command.end() == 0)
        return command.shown
    }

    private func piped(_ words: [String]) throws -> String { try Command.run(words, program: Command.binary).output }

    @Test func aTableOfThreatsHasBordersAndColor() throws {
        let shown = try shown(Self.threats)
        #expect(shown.contains("\u{1B}[32m") && shown.contains("\u{1B}[31m") && shown.contains("\u{1B}[0m"))
        let plain = shown.replacing(Self.colors, with: "")
        let lines = plain.split(separator: "\n")
        let table = lines.filter { $0.first.map { "┌│├└".contains($0) } ?? false }
        #expect(table.first?.hasPrefix("┌─") == true && table.first?.hasSuffix("─┐") == true)
        #expect(table.last?.hasPrefix("└─") == true && table.last?.hasSuffix("─┘") == true)
        #expect(Set(table.map(\.count)).count == 1, "every line is as wide as the others")
        #expect(table.count == 15, "a row for each of eleven people, the heading and three lines")
        // It says the same as the plain table.
        func words(_ text: some StringProtocol) -> [Substring] {
            text.split(whereSeparator: { $0.isWhitespace || "┌┬┐├┼┤└┴┘│─".contains($0) }).map { Substring($0) }
        }
        #expect(words(plain) == words(try piped(Self.threats)))
    }

    @Test func aTerminalThatCannotShowThemGetsThePlainTable() throws {
        let plain = try piped(Self.threats)
        #expect(!plain.contains("│") && !plain.contains("\u{1B}"))
        let without: [([String: String], UInt16)] = [
            (["LC_ALL": "C"], 160), (["LC_ALL": "", "LC_CTYPE": "de_DE.ISO-8859-1"], 160), (["TERM": "dumb"], 160),
            (["LC_ALL": "", "LC_CTYPE": "", "LANG": ""], 160), ([:], 60),
        ]
        for (differences, columns) in without {
            let shown = try shown(Self.threats, differences, columns: columns)
            #expect(shown.replacing(Self.colors, with: "") == plain, "\(differences) in \(columns) columns")
        }
        let uncolored = try shown(Self.threats, ["NO_COLOR": "1"])
        #expect(uncolored.contains("┌─") && !uncolored.contains("\u{1B}"), "borders are no color")
        let named = try shown(Self.threats, ["LC_ALL": "", "LC_CTYPE": "", "LANG": "en_US.utf8"])
        #expect(named.contains("┌─"))
    }

    @Test func eachStepOfAnExplanationHasAFrame() throws {
        let file = Repository.root.appending(
            path: "Fixtures/scenarios/contexts/a-lock-under-a-prompt-is-a-system-cancel.yaml"
        ).path
        let plain = try piped(["explain", file])
        #expect(!plain.contains("│") && !plain.contains("\u{1B}"))
        let shown = try shown(["explain", file]).replacing(Self.colors, with: "")
        let frames = shown.split(separator: "\n").compactMap(\.first).filter { "┌│└╶".contains($0) }
        #expect(frames.first == "┌" && frames.contains("│") && frames.contains("└"))
        #expect(frames.count(where: { $0 == "┌" }) == frames.count(where: { $0 == "└" }))
        // But for the frames, it is the plain explanation.
        let unframed = shown.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.first.map { "┌│└╶".contains($0) } == true ? " " + $0.dropFirst() : String($0) }
        #expect(unframed.joined(separator: "\n") == plain)
        #expect(try self.shown(["explain", file], ["LC_ALL": "POSIX"]).replacing(Self.colors, with: "") == plain)
    }
}
