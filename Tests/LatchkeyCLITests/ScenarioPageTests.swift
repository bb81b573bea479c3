import Foundation
import TestSupport
import Testing

/// The pages on scenario files agree with what the command prints.
extension CommandTests {
    @Test func theDocumentedKeysOfScenariosAreTheCommands() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/scenarios.md"), encoding: .utf8)
        let keys = try Command.run("test", "--keys")
        #expect(keys.status == 0)
        #expect(keys.output.hasPrefix("### A scenario\n"))
        #expect(page.hasSuffix("\n\n" + keys.output), "`make docs` writes it anew")
    }

    @Test func theDocumentedSchemaOfScenariosIsTheCommands() throws {
        let file = Repository.root.appending(path: "docs/scenario.schema.json")
        #expect(
            try Command.run("test", "--schema").output == String(contentsOf: file, encoding: .utf8),
            "`make docs` writes it anew")
    }

    @Test func theFixturesPassByTheCommandAndExerciseEverything() throws {
        let folder = Repository.root.appending(path: "Fixtures/scenarios").path
        let run = try Command.run("test", folder, "--min-coverage", "100", "--coverage")
        #expect(run.status == 0)
        #expect(run.output.contains(", 100.0 %; "))
        #expect(run.output.firstMatch(of: /\n\d+ claims not checked: prove them with `latchkey prove`\n$/) != nil)
        #expect(run.errors.isEmpty)
    }
}
