import Foundation
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Compares docs/scenarios.md with the format.
@Suite struct DocumentationTests {
    private func page() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "docs/scenarios.md"), encoding: .utf8)
    }

    @Test func theTablesOfKeysAreCurrent() throws {
        let page = try page()
        #expect(page.hasSuffix("\n" + KeyTable.text()), "`make docs` writes them anew")
    }

    /// Plays each block that has steps, beside the files that the blocks name in their first line.
    @Test func everyExampleRuns() throws {
        let blocks = try page().matches(of: #/(?s)```yaml\n(.*?)```/#).map { String($0.1) }
        #expect(blocks.count >= 8)
        let folder = try TemporaryFolder()
        for block in blocks {
            if let name = block.firstMatch(of: /^# ([a-z]+\.yaml)\n/) {
                try block.write(toFile: folder.path(String(name.1)), atomically: true, encoding: .utf8)
            }
        }
        var played = 0
        for block in blocks {
            let file = ScenarioFile(bytes: Array(block.utf8), of: folder.path("example.yaml"))
            #expect(file.mistakes.map(\.description) == [])
            #expect(file.scenarios.isEmpty != block.contains("steps:"))
            for scenario in file.scenarios {
                let result = scenario.run()
                #expect(result.complaints == "", "\(scenario.name)")
                played += 1
            }
        }
        #expect(played >= 15)
    }

    /// Every key is in the tables, with every word that it takes.
    @Test func theTablesNameEveryWordOfTheFormat() throws {
        let text = KeyTable.text()
        for word in ["for each", "prompt budget", "flips-with", "meanwhile", "interaction", "keepsDelaying", "at most"]
        {
            #expect(text.contains("`\(word)`"), "\(word)")
        }
        let alone = [
            "invalidate", "create", "wait", "hold", "open", "append", "close", "exclude", "unlink", "fail", "prompt",
            "sensor", "settle", "deliver", "signIn", "signOut", "establishCircle", "join", "setRecoveryKey",
            "leaveCircle", "removeFromAccount", "changeAccountPassword", "resetCircle", "offline", "syncPasswords",
        ]
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            #expect(line.hasSuffix("|"))
            #expect(
                !line.contains("|  |") || alone.contains { line.hasPrefix("| `\($0)` |") },
                "\(line) says nothing in some cell")
        }
    }

    @Test func theExampleInTheReadmeRuns() throws {
        let readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.matches(of: #/(?s)```yaml\n(.*?)```/#).map { String($0.1) }
        #expect(blocks.count == 1)
        for block in blocks {
            let file = ScenarioFile(bytes: Array(block.utf8), of: "README.md")
            #expect(file.mistakes.map(\.description) == [])
            #expect(file.scenarios.map { $0.run().complaints } == [""])
        }
    }

    @Test func theFilesThatThePageSpeaksOfAreThere() throws {
        let page = try page()
        for match in page.matches(of: /\]\(([a-z-]+\.md)\)/) {
            let path = Repository.root.appending(path: "docs/\(match.1)").path
            #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
        }
        #expect(page.contains("docs/scenario.schema.json"))
    }
}
