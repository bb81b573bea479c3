internal import AgentProtocol
internal import CommandLineKit
internal import FolderKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey folder drop`
enum FolderDropCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let move = Option("--move", says: "delete each file once its copy is sealed")
    }

    static let declaration = Declaration(
        name: "drop", summary: "put new files into a protected folder, even while it is locked",
        text: """
            Seals a copy of each file for the folder. If the folder is open, the copy is moved into it at once, otherwise at the
            next unlock. A folder of the class unless-open takes files while the vault is locked; the others take them only while
            they are open. Nothing in the folder is replaced: a second notes.txt becomes "notes (2).txt". Never prompts.
            """,
        operands: [
            FolderAccess.operand,
            Operand(name: "FILE", says: "the file to copy", values: .file, isRepeated: true, takesAnyBytes: true),
        ],
        options: Options(),
        examples: [("latchkey folder drop --move ~/recordings interview.ogg", "leaves no readable copy behind")],
        statuses: ExitStatus.all(but: [.exists, .wrong, .dismissed, .noTerminal]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try FolderAccess(given[\.vault], mayAsk: false)
        let folder = try access.report(at: FolderAccess.path(given.rawWords[0])).folder
        for word in given.rawWords.dropFirst() {
            let path = try VaultAccess.absolute(word.text)
            let before = status(path)
            if given[\.move] { try requireNoWriter(path) }
            let request = DropFileCall(path, into: folder.identifier)
            let isMoved = try access.vault.client.ask(request, of: nil).reply.isMoved
            if given[\.move] { try delete(path, ifStill: before) }
            Output.confirm(
                isMoved
                    ? "Put \(word.text) into \(folder.path)."
                    : "Sealed \(word.text): it will be moved into \(folder.path) when that is open.")
        }
        return ""
    }

    /// The content and the identity of a file, as far as its status shows them.
    private struct Version: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private static func status(_ path: String) -> Version? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Version(
            inode: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_ctim.tv_sec,
            nanoseconds: status.st_ctim.tv_nsec)
    }

    /// O_PATH, which Swift does not find.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Throws if a program is still writing to a file. What it writes later would be lost.
    private static func requireNoWriter(_ path: String) throws {
        guard let (above, name) = SystemPath.split(path) else { return }
        // The folder need not be one that can be listed.
        let folder = open(above.isEmpty ? "/" : above, pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw AgentError(.vault, "\(above): \(SystemError.last), so \(path) stays") }
        defer { close(folder) }
        do throws(SystemError) {
            guard try OpenFile(FolderEntry(name, in: folder), O_RDONLY).isOpenForWriting else { return }
        } catch {
            // The request says that there is no such file.
            if [ENOENT, ELOOP].contains(error.code) { return }
            throw AgentError(.vault, "it is not known if a program is still writing to \(path), so it stays: \(error)")
        }
        throw AgentError(.vault, "a program is still writing to \(path), so it stays: drop it again when that is done")
    }

    /// Deletes a file whose copy is sealed, unless it was changed meanwhile.
    private static func delete(_ path: String, ifStill former: Version?) throws {
        guard former != nil, status(path) == former else {
            throw AgentError(.vault, "\(path) was changed while it was copied, so it stays: drop it again")
        }
        try requireNoWriter(path)
        guard unlink(path) == 0 else {
            throw AgentError(.vault, "\(path) was dropped, and cannot be deleted: \(SystemError.last)")
        }
    }
}
