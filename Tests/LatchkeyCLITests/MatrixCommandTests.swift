import AccessPolicy
import Foundation
import TestSupport
import Testing

/// `latchkey matrix`, run as a user would run it.
@Suite(.waitsForProcesses) struct MatrixCommandTests {
    private func run(_ arguments: String...) throws -> Command.Run {
        try Command.run(["matrix"] + arguments)
    }

    private func page() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "docs/matrix.md"), encoding: .utf8)
    }

    /// Returns the words of a command line on the page. Quoted words count as one.
    private func words(_ line: Substring) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
            place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test func theExampleOfThePageIsCurrent() throws {
        let page = try page()
        let block = try #require(page.components(separatedBy: "```console\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "```").first)
        let command = try #require(text.split(separator: "\n").first)
        #expect(command.hasPrefix("$ latchkey matrix "))
        let result = try Command.run(Array(words(command).dropFirst(2)))
        #expect(result.status == 0)
        #expect(text == "\(command)\n\(result.output)")
    }

    @Test func theExamplesOfTheHelpRun() throws {
        let help = try run("--help").output
        let examples = help.split(separator: "\n").filter {
            $0.hasPrefix("  latchkey matrix ") && !$0.contains(".yaml")
        }
        #expect(examples.count == 3)
        for example in examples {
            let result = try Command.run(Array(words(example).dropFirst()))
            #expect(result.status == 0 && result.errors.isEmpty, "\(example)")
            #expect(!result.output.isEmpty)
        }
    }

    @Test(arguments: ["table", "markdown", "csv", "json", "html"])
    func everyFormatShowsTheClassesOfFiles(_ format: String) throws {
        let shown = try run("--files", "--format", format)
        #expect(shown.status == 0 && shown.errors.isEmpty)
        for protection in FileProtection.allCases { #expect(shown.output.contains(protection.name)) }
        #expect(shown.output.contains("file.locked"))
    }
}
