internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey man`
enum ManCommand {
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
        options: [
            OptionGroup(options: [
                Option(
                    "--into", value: "FOLDER",
                    "write every page into this folder, which is made if it is not there; what is called so is replaced",
                    values: .folder)
            ])
        ],
        examples: [
            ("latchkey man matrix | man -l -", ""),
            ("latchkey man --into ~/.local/share/man/man1", "then man latchkey shows them"),
        ],
        group: "this command", run: run)

    @Sendable private static func run(_ given: Given) throws(UsageError) -> String {
        guard let folder = given["--into"] else {
            return ManualPage(try HelpCommand.path(to: given.words)).text
        }
        if !given.words.isEmpty { throw UsageError("--into writes every page: name no command") }
        if folder.isEmpty { throw UsageError("--into needs the name of a folder") }
        make(folder)
        for page in ManualPage.all(of: Latchkey.program) {
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
