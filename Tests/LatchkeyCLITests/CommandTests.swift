import AccessPolicy
import ApplePlatform
import CommandLineKit
import Foundation
import LatchkeyTools
import TestSupport
import Testing

/// The built binary, run as a user would run it.
@Suite(.waitsForProcesses) struct CommandTests {
    private func run(_ arguments: String...) throws -> Command.Run { try Command.run(arguments) }

    @Test(arguments: ["--help", "-h", "help"]) func helpNamesEveryCommand(_ word: String) throws {
        let run = try run(word)
        #expect(run.status == 0)
        for command in Tools.commands {
            #expect(run.output.contains("\n  \(command.name) "))
        }
        #expect(run.errors.isEmpty)
    }

    @Test func versionIsOneLine() throws {
        let run = try run("--version")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /latchkey \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: Tools.commands.map(\.name)) func aCommandHelpsToo(_ command: String) throws {
        let run = try run(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("usage: latchkey \(command)"))
    }

    @Test func oneHelpExplainsEveryExitStatus() throws {
        let run = try run("help", "exit-status")
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines.contains("0 success")
                && lines.contains("2 the command line was not understood, or the vault cannot do what it asks"))
        func below(_ command: Declaration) -> [Declaration] { [command] + command.commands.flatMap(below) }
        for command in below(Tools.program) {
            for (status, says) in command.statuses {
                #expect(lines.contains { $0.hasSuffix("\(status) \(says)") }, "\(command) \(status)")
            }
        }
        #expect(lines.contains("prove 0 every claim came out as expected"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    private static let facts = AnyRule.all.map(\.facts)

    @Test func rulesListsTheCatalog() throws {
        let lines = try run("rules").output.split(separator: "\n")
        #expect(lines.count == Self.facts.count + 1)
        for (line, facts) in zip(lines.dropFirst(), Self.facts) {
            #expect(line.hasPrefix(facts.identifier + " "))
            #expect(line.hasSuffix(facts.summary))
        }
    }

    @Test func rulesAsJSONIsJSON() throws {
        struct Entry: Decodable {
            let rule: String, effect: String, osStatus: Int32?, laError: Int?, grounds: String, section: String?,
                summary: String, remedy: String?
        }
        let text = try run("rules", "--format", "json").output
        let entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
        #expect(entries.map(\.rule) == Self.facts.map(\.identifier))
        #expect(entries.map(\.summary) == Self.facts.map(\.summary))
        #expect(entries.map(\.section) == Self.facts.map(\.section))
        let statuses =
            Rule.allCases.map { AppleStatus($0, Fidelity()) } + FileRule.allCases.map { _ in nil }
            + SyncRule.allCases.map { _ in nil }
        #expect(entries.map(\.osStatus) == statuses.map { $0?.status.rawValue })
        #expect(entries.map(\.laError) == statuses.map { $0?.laError?.rawValue })
    }

    @Test func theDocumentedCatalogIsCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/rules.md"), encoding: .utf8)
        #expect(try page.hasSuffix(run("rules", "--format=markdown").output), "`make docs` writes it anew")
    }
}
