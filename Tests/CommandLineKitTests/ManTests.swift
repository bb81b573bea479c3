import CommandLineKit
import Foundation
import LatchkeyTools
import MadeUpProgram
import PlainText
import TestSupport
import Testing

/// Tests of manual pages, as `man` shows them.
@Suite(.waitsForProcesses) struct ManTests {
    private static let man = URL(filePath: "/usr/bin/man")
    private static let all = MadeUp.paths(of: Tools.program)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// Returns a page as `man` shows it with very long lines, and the warnings of `man`.
    private func shown(_ page: String) throws -> Command.Run {
        let path = folder.path("page.1")
        try Data(page.utf8).write(to: URL(filePath: path))
        return try Command.run(
            ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", path],
            environment: ["MANWIDTH": "400", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "GROFF_NO_SGR": ""],
            program: Self.man)
    }

    /// Returns the text without bold letters, with one space between words.
    private func flowing(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/.\u{8}/, with: "")
            .split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Without these escapes, some formatters would print look-alike characters that cannot be typed.
    @Test(arguments: all + MadeUp.paths) func hyphensAreEscaped(_ path: [Declaration]) {
        #expect(!ManualPage(path).text.replacing("\\-", with: "").contains("-"))
        #expect(ManualPage(path).text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: DaySample.of(all, oneIn: 4) + MadeUp.paths)
    func thePageTellsAllThatIsDeclaredAndNothingInItIsComplainedAbout(_ path: [Declaration]) throws {
        let command = path[path.count - 1]
        let name = path.map(\.name).joined(separator: "-")
        let run = try shown(ManualPage(path).text)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let text = flowing(run.output)
        #expect(text.contains("NAME \(name) - \(command.summary) SYNOPSIS \(path.map(\.name).joined(separator: " ")) "))
        for line in command.text.split(separator: "\n") { #expect(text.contains(flowing(String(line)))) }
        for operand in command.operands where !operand.says.isEmpty {
            #expect(text.contains("\(operand.name) \(operand.says)"))
        }
        for option in command.allOptions {
            let term = option.names.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "")
            #expect(text.contains("\(term) \(option.says)"), "\(term)")
        }
        for group in command.options where !group.heading.isEmpty { #expect(text.contains(group.heading)) }
        for one in command.commands { #expect(text.contains("\(name)-\(one.name)(1) \(one.summary)")) }
        for (line, says) in command.examples { #expect(text.contains(flowing(says + " " + line)), "\(line)") }
        #expect(text.contains("EXIT STATUS 0 "))
        for (status, says) in command.statuses { #expect(text.contains("\(status) \(says)")) }
        #expect(text.contains("ENVIRONMENT") == (path.count == 1))
        #expect(text.contains("SEE ALSO"))
    }

    @Test func whatIsIndentedStaysAsItIs() throws {
        let text = try shown(ManualPage([MadeUp.program, MadeUp.get]).text).output
        #expect(text.contains(" an indented --line   stays as it is\n"))
        #expect(text.contains(" .and another one\n"))
    }

    @Test(arguments: DaySample.of(all, oneIn: 8)) func theCommandPrintsThePage(_ path: [Declaration]) throws {
        let run = try Command.run(["man"] + path.dropFirst().map(\.name))
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output == ManualPage(path).text)
    }

    @Test func allPagesAreWrittenAndFound() throws {
        let place = folder.path("a/b/man1")
        for _ in 0..<2 {
            let run = try Command.run("man", "--into", place)
            #expect(run.status == 0 && run.errors.isEmpty)
            #expect(run.output == "Wrote \(Self.all.count) pages to \(place).\n")
        }
        let names = Self.all.map { $0.map(\.name).joined(separator: "-") }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: place)) == Set(names.map { $0 + ".1" }))
        for (path, name) in zip(Self.all, names) {
            let page = try String(contentsOfFile: "\(place)/\(name).1", encoding: .utf8)
            #expect(page == ManualPage(path).text)
        }
        let found = try Command.run(["-w"] + names, environment: ["MANPATH": folder.path("a/b")], program: Self.man)
        #expect(found.output == names.map { "\(place)/\($0).1\n" }.joined())
    }

    @Test func whereNoPageCanBeWrittenIsSaid() throws {
        let file = folder.path("file")
        try Data().write(to: URL(filePath: file))
        let run = try Command.run("man", "--into", file)
        #expect(run.status == 1 && run.errors == "latchkey: \(file)/latchkey.1: Not a directory\n")
        let deeper = try Command.run("man", "--into", file + "/x")
        #expect(deeper.status == 1 && deeper.errors == "latchkey: \(file)/x: Not a directory\n")
        let both = try Command.run("man", "matrix", "--into", file)
        #expect(
            both.status == 2 && both.errors.hasPrefix("latchkey: --into writes every page: leave the command out; see ")
        )
        #expect(try Command.run("man", "--into=").status == 2)
        let unknown = try Command.run("man", "matrx")
        #expect(unknown.errors == "latchkey: unknown command \"matrx\": did you mean matrix? See latchkey man --help\n")
    }
}
