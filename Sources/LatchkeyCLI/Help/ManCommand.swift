internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey man`
enum ManCommand {
    struct Options: OptionList {
        let into = Option(
            "--into", value: "FOLDER",
            says: "write every page into this folder, which is made if it is not there; what is called so is replaced",
            values: .folder
        ) { (folder) throws(UsageError) in
            if folder.isEmpty { throw UsageError("--into needs the name of a folder") }
            return folder
        }
    }

    static let declaration = Declaration(
        name: "man", summary: "print the manual page of a command, or write all of them",
        text: """
            Prints the manual page of a command as man(1) takes it, and without one that of all of them. The same in gives the
            same out, and the pages have no date.
            """,
        operands: [
            Operand(
                name: "COMMAND", says: "the command, and then the one that it has of its own", values: .ownCommand,
                isOptional: true, isRepeated: true)
        ],
        options: Options(),
        examples: [
            ("latchkey man matrix | man -l -", ""),
            ("latchkey man --into ~/.local/share/man/man1", "then man latchkey shows them"),
        ],
        group: "this command", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        guard let folder = given[\.into] else {
            return ManualPage(try given.program.path(to: given.words)).text
        }
        if !given.words.isEmpty { throw UsageError("--into writes every page: name no command") }
        make(folder)
        for page in ManualPage.all(of: given.program) {
            Output.replace("\(folder)/\(page.name).1", with: page.text)
        }
        return ""
    }

    /// Makes the folder and those that it lies in.
    private static func make(_ folder: String) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for name in folder.split(separator: "/") {
            path += name
            // What is there already may be a folder that a link leads to; if it is none, writing into it says so.
            if mkdir(path, 0o777) != 0 && errno != EEXIST {
                Output.fail("\(Terminal.line(path)): \(SystemError.last)", status: 1)
            }
            path += "/"
        }
    }
}
