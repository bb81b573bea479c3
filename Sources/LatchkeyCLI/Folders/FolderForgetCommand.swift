internal import AgentProtocol
internal import CommandLineKit
internal import PlainText

/// `latchkey folder forget`
enum FolderForgetCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let force = Option("--force", "-f", says: "ask nothing")
    }

    static let declaration = Declaration(
        name: "forget", summary: "delete the key of a folder that is gone",
        text: """
            Deletes the key of a protected folder from the vault, for a folder that you have deleted or whose disk is gone. Its
            content, and dropped files that wait for it, can never be read again. To decrypt a folder, use unprotect.
            """,
        operands: [FolderAccess.operand], options: Options(),
        examples: [("latchkey folder forget ~/old-journal", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try FolderAccess(given[\.vault])
        let path = try VaultAccess.absolute(given.rawWords[0].text)
        let found = try access.reports().filter { $0.folder.path.utf8.elementsEqual(path.utf8) }
        // Another folder may have taken the place of the one that is gone. For one alone, its disk may be gone too.
        let here = found.count > 1 ? try FolderAccess.identifier(at: path) : nil
        let gone = found.filter { $0.folder.identifier != here }
        guard let report = gone.first ?? found.first else {
            throw AgentError(.notFound, "no folder at \(path): run `latchkey folder status` to see all")
        }
        let question = "Delete the key of \(Terminal.line(path))? What is in it can never be read again."
        guard try given[\.force] || access.vault.prompter.confirms(question, else: "add --force") else {
            throw AgentError(.dismissed, "nothing was deleted")
        }
        _ = try access.vault.ask(
            RemoveEncryptedFolderCall(report.folder.identifier, isSure: true), because: "delete the key of \(path)")
        Output.confirm("Deleted the key of \(path).")
        return ""
    }
}
