import CommandLineKit
import Foundation
import LatchkeyTools
import TestSupport
import Testing

/// Plays the files of Fixtures/transcripts. The README there has their form.
@Suite(.waitsForProcesses) struct TranscriptTests {
    private static let all = Result {
        let folder = Repository.root.appending(path: "Fixtures/transcripts").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }
        return try files.sorted().map { try Transcript("\(folder)/\($0)") }
    }
    private static let missing = Set(((try? all.get()) ?? []).flatMap(\.missing)).sorted()

    @Test(arguments: try all.get().filter { $0.missing.isEmpty }) func isAsItIsShown(_ transcript: Transcript) throws {
        try transcript.play()
    }

    @Test(.enabled(if: missing.isEmpty, "skipped: needs \(missing)")) func noTranscriptIsLeftOut() {}

    /// Looks only at lines that are one command: a shell can end others with any status.
    @Test func everyStatusIsOneThatItsCommandDeclares() throws {
        func below(_ path: [String], _ command: Declaration) -> [(path: [String], declaration: Declaration)] {
            [(path, command)] + command.commands.flatMap { below(path + [$0.name], $0) }
        }
        let commands = below([], Tools.program)
        for transcript in try Self.all.get() {
            for step in transcript.steps where step.command.wholeMatch(of: /latchkey [^|;&\n]+/) != nil {
                let words = step.command.split(separator: " ").dropFirst().map(String.init)
                let command = commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
                let declared = [0, 1, 2] + (command?.declaration.statuses.map { Int($0.status) } ?? [])
                #expect(declared.contains(step.status), "\(transcript.testDescription):\(step.number)")
            }
        }
    }

    /// Every command of the page is played, in the order of the page.
    @Test func thePageOnLaptopsIsPlayed() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/new-laptop.md"), encoding: .utf8)
        let played = try Self.all.get().filter { $0.testDescription.hasPrefix("new-laptop") }.flatMap(\.steps)
        var rest = played.map { "\($0.terminal.filter { !$0.isNumber }) \($0.command)" }[...]
        for line in page.split(separator: "\n") where line.contains(#/^(old|new)?\$ /#) {
            let place = try #require(rest.firstIndex(of: String(line)), "not played: \(line)")
            rest = rest[(place + 1)...]
        }
    }
}
