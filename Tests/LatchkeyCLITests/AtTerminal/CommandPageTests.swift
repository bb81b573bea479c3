import CommandLineKit
import Foundation
import LatchkeyTools
import TestSupport
import Testing

/// docs/command-line.md agrees with the commands.
@Suite(.waitsForProcesses) struct CommandPageTests {
    private func page(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private var usesVaults: [Declaration] {
        Tools.commands.filter { ["secrets", "the vault"].contains($0.group) }
    }

    @Test func everyStatusIsInTheTable() throws {
        let page = try page("docs/command-line.md")
        var all: [Int32: Set<String>] = [:]
        for status in usesVaults.flatMap(\.statuses) where status.status > 2 {
            all[status.status, default: []].insert(status.says)
        }
        #expect(all.keys.sorted() == Array(3...13) + [126, 127])
        for (status, words) in all {
            #expect(words.count == 1, "a number means one thing")
            #expect(page.contains("\n| \(status) | \(words.first ?? "") |"), "\(status)")
        }
        #expect(page.components(separatedBy: "\n| ").count { Int($0.prefix { $0 != " " }) != nil } == 16)
    }

    @Test func theDocumentedSettingsAreTheCommands() throws {
        let table = try Command.run("help", "settings")
        #expect(table.status == 0 && table.output.hasPrefix("| setting | meaning | in a new vault |\n"))
        #expect(try page("docs/command-line.md").contains("\n\n\(table.output)\n"), "`make docs` writes it anew")
    }

    @Test func everyPresetAndEveryCommandIsExplained() throws {
        let page = try page("docs/command-line.md")
        let options = usesVaults.flatMap { $0.options.flatMap(\.options) }
        let preset = try #require(options.first { $0.names.contains("--preset") })
        guard case .described(let words) = preset.values else {
            Issue.record("presets have names")
            return
        }
        #expect(words.count == 7)
        for name in words.map(\.word) { #expect(page.contains("\n| `\(name)` | "), "\(name)") }
        for command in usesVaults { #expect(page.contains("latchkey \(command.name)"), "\(command.name)") }
        for variable in ["LATCHKEY_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "NO_COLOR"] {
            #expect(page.contains("\n| `\(variable)` | "))
        }
    }
}
