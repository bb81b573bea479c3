internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText

/// `latchkey man`
enum ManCommand {
    struct Options: OptionList {
        let into = Option(
            "--into", value: "FOLDER",
            says: "write every page into this folder, which is created if needed; existing pages are replaced",
            values: .folder
        ) { (folder) throws(UsageError) in
            if folder.isEmpty { throw UsageError("--into needs a folder") }
            return folder
        }
    }

    static let declaration = Declaration(
        name: "man", summary: "print a manual page, or write all of them",
        text: """
            Prints the manual page of COMMAND for man(1); without COMMAND, the page of latchkey itself. Pages carry the version
            and no date, so one version always writes the same bytes.
            """,
        operands: [
            Operand(
                name: "COMMAND", says: "a command, such as get or biometry enroll", values: .ownCommand,
                isOptional: true, isRepeated: true)
        ],
        options: Options(),
        examples: [
            ("latchkey man matrix | man -l -", "reads a page without installing it"),
            ("latchkey man --into ~/.local/share/man/man1", "installs all of them, for man latchkey"),
        ],
        group: "this command", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        guard let folder = given[\.into] else {
            return ManualPage(try given.program.path(to: given.words)).text
        }
        if !given.words.isEmpty { throw UsageError("--into writes every page: leave the command out") }
        make(folder)
        let pages = ManualPage.all(of: given.program)
        for page in pages { Output.replace("\(folder)/\(page.name).1", with: page.text) }
        return "Wrote \(counted(pages.count, "page")) to \(Terminal.line(folder)).\n"
    }

    /// Creates the folder, and every missing folder above it.
    private static func make(_ folder: String) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for name in folder.split(separator: "/") {
            path += name
            // What exists may be a link to a folder. If it is neither, writing the first page fails with an error that names it.
            if mkdir(path, 0o777) != 0 && errno != EEXIST {
                Output.fail("\(Terminal.line(path)): \(SystemError.last)", status: 1)
            }
            path += "/"
        }
    }
}
