import Foundation
import PolicyProver
import TestSupport
import Testing

/// The commands that show what the prover finds, run as a user would run them.
@Suite(.waitsForProcesses) struct ProvingCommandTests {
    @Test func everybodyIsListed() throws {
        struct Entry: Decodable { let profile: String, summary: String, holds: String, isOwner: Bool }
        let text = try Command.run("profiles", "--format", "json").output
        let entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
        #expect(entries.map(\.profile) == Profile.known.map(\.name))
        #expect(entries.map(\.isOwner) == Profile.known.map(\.isOwner))
    }

    @Test func thePageOfFlagsIsCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/flags.md"), encoding: .utf8)
        let tables = try Command.run("threats", "--all", "--format", "markdown").output
        #expect(page.hasSuffix(tables), "`make docs` writes it anew")
    }
}
