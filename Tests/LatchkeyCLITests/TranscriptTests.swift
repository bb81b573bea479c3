import Foundation
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
