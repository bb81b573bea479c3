internal import AgentProtocol
internal import CommandLineKit
internal import FolderKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey folder protect`
enum FolderProtectCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let protection = Option(
            "--class", value: "CLASS",
            says:
                "when the folder is open: complete (while the vault is unlocked; the default), unless-open (so too, and "
                + "files that are open stay readable after a lock) or until-first-unlock (from the first unlock until the "
                + "agent ends)",
            among: EncryptedFolder.Protection.allCases.map { ($0.rawValue, $0) })
        let holders = Option(
            "--open-files", value: "CHOICE",
            says: "what happens at a lock to programs that have files of the folder open: report (the default) or end",
            among: EncryptedFolder.Holders.allCases.map { ($0.rawValue, $0) })
    }

    static let declaration = Declaration(
        name: "protect", summary: "encrypt a folder, or change how it is protected",
        text: """
            Encrypts a folder with everything in it, and creates the folder if there is none. The content is copied, compared with
            the original and written to the disk before the originals are deleted, so there has to be room for both. If the command
            is interrupted, run it again: nothing is lost at any step.

            For a folder that is protected already, this changes the class or the choice that you name. Nothing is rewritten.

            Old copies of the content may stay on the disk until they are overwritten: fstrim discards them.
            """,
        operands: [FolderAccess.operand], options: Options(),
        examples: [
            ("latchkey folder protect ~/journal", ""),
            (
                "latchkey folder protect --class until-first-unlock ~/mail",
                "stays open for programs in the background"
            ),
            ("latchkey folder protect --open-files end ~/journal", "at a lock, ends programs that keep files open"),
        ],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let typed = given.rawWords[0].text
        if mkdir(typed, 0o700) != 0, errno != EEXIST { throw AgentError(.request, "\(typed): \(SystemError.last)") }
        let path = try FolderAccess.path(given.rawWords[0])
        let access = try FolderAccess(given[\.vault])
        switch try FolderAccess.encryption(of: path) {
        case .encrypted: try change(path, given, access)
        case .plain: try protect(path, given, access)
        case .foreign:
            throw AgentError(
                .request, "\(path) is encrypted in another way: move its content into another folder first")
        case .unavailable(let trouble):
            throw AgentError(.request, "\(path) cannot be encrypted: \(trouble.description)")
        }
        return ""
    }

    // MARK: - A folder that is protected already

    private static func change(_ path: String, _ given: Given<Options>, _ access: FolderAccess) throws {
        let report = try access.report(at: path)
        // A crash may have left originals of an earlier run.
        let moving = FolderMoving(path, to: try FolderAccess.goal(report.folder.identifier), access)
        if let unfinished = try FolderMoving.unfinished(at: path) {
            _ = try access.vault.ask(
                OpenEncryptedFolderCall(report.folder.identifier, at: path), because: "protect \(path)")
            try moving.run(report.folder.identifier)
            let rest = unfinished == .removing ? "the originals" : "the incomplete copy"
            Output.confirm("Removed \(rest) that an interrupted run had left beside \(path).")
            moving.tellRemains()
        }
        var folder = report.folder
        (folder.path, folder.isMoving) = (path, false)
        if let protection = given[\.protection] { folder.protection = protection }
        if let holders = given[\.holders] { folder.holders = holders }
        if folder == report.folder && report.state != .missing {
            Output.confirm("\(path) is protected already: \(words(folder)).")
            return
        }
        _ = try access.vault.ask(ChangeEncryptedFolderCall(folder), because: "change how \(path) is protected")
        _ = try access.vault.ask(OpenEncryptedFolderCall(folder.identifier, at: path), because: "open \(path)")
        Output.confirm("\(path) is protected now: \(words(folder)).")
    }

    // MARK: - Another folder

    private static func protect(_ path: String, _ given: Given<Options>, _ access: FolderAccess) throws {
        var folder = EncryptedFolder()
        (folder.path, folder.isMoving) = (path, true)
        // A run that was interrupted has left a copy, whose key is in the vault.
        let known = try access.reports().first {
            $0.folder.isMoving && $0.folder.path.utf8.elementsEqual(path.utf8)
        }?.folder
        folder.protection = given[\.protection] ?? known?.protection ?? .complete
        folder.holders = given[\.holders] ?? known?.holders ?? .report
        if let known {
            folder.identifier = known.identifier
            _ = try access.vault.ask(ChangeEncryptedFolderCall(folder), because: "protect \(path)")
            _ = try access.vault.ask(OpenEncryptedFolderCall(folder.identifier, at: path), because: "protect \(path)")
        } else {
            let request = AddEncryptedFolderCall(folder)
            folder.identifier = try access.vault.ask(request, because: "protect \(path)").reply.identifier
        }
        let moving = FolderMoving(path, to: try FolderAccess.goal(folder.identifier), access)
        do {
            try moving.run(folder.identifier)
        } catch {
            // The agent keeps the key unless the folder is plain.
            if known == nil {
                _ = try? access.vault.client.ask(RemoveEncryptedFolderCall(folder.identifier, isSure: false), of: nil)
            }
            throw error
        }
        folder.isMoving = false
        _ = try access.vault.ask(ChangeEncryptedFolderCall(folder), because: "protect \(path)")
        _ = try access.vault.ask(OpenEncryptedFolderCall(folder.identifier, at: path), because: "open \(path)")
        Output.confirm("Protected \(path)\(moving.summary): \(words(folder)).")
        moving.tellRemains()
    }

    /// Returns when a folder is open, and what happens to open files.
    private static func words(_ folder: EncryptedFolder) -> String {
        let time =
            switch folder.protection {
            case .complete: "open while the vault is unlocked"
            case .unlessOpen: "open while the vault is unlocked, and files that are open stay readable after a lock"
            case .untilFirstUnlock: "open from the first unlock until the agent ends"
            }
        switch folder.holders {
        case .report: return time
        case .end: return "\(time); a lock ends programs that have its files open"
        }
    }
}
