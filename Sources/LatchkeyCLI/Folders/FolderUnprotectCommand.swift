internal import AgentProtocol
internal import CommandLineKit
internal import FolderKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey folder unprotect`
enum FolderUnprotectCommand {
    static let declaration = Declaration(
        name: "unprotect", summary: "decrypt a folder for good",
        text: """
            Moves the content of a protected folder into a folder that is not encrypted, in the same place, and deletes the
            key from the vault. The content is copied and compared before the encrypted originals are deleted, so there has to be
            room for both. Dropped files that wait for the folder are moved into it first. If the command is interrupted, run it
            again.
            """,
        operands: [FolderAccess.operand], options: VaultOption(),
        examples: [("latchkey folder unprotect ~/journal", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try FolderAccess(given[\.vault])
        let path = try FolderAccess.path(given.rawWords[0])
        let report = try access.report(at: path)
        var folder = report.folder
        folder.path = path
        if try FolderAccess.identifier(at: path) == folder.identifier {
            // The agent moves no dropped files into a folder whose content is being moved.
            folder.isMoving = false
            if folder != report.folder { try change(folder, access) }
            try open(folder, access)
            try waitForDrops(into: folder, access)
        }
        folder.isMoving = true
        try change(folder, access)
        try open(folder, access)
        let moving = FolderMoving(path, to: .plain, access)
        // An interrupted run may have left only the key to delete.
        let isUnfinished = try FolderMoving.unfinished(at: path) != nil
        do {
            if try isUnfinished || FolderAccess.identifier(at: path) != nil { try moving.run(folder.identifier) }
        } catch {
            if try FolderMoving.unfinished(at: path) == nil, try FolderAccess.identifier(at: path) == folder.identifier
            {
                folder.isMoving = false
                _ = try? access.vault.client.ask(ChangeEncryptedFolderCall(folder), of: nil)
            }
            throw error
        }
        if let kept = try FolderMoving.remains(of: path, folder.identifier).first {
            // Originals that a program has changed are encrypted by this key.
            (folder.path, folder.isMoving) = (kept, false)
            _ = try access.vault.ask(ChangeEncryptedFolderCall(folder), because: "keep the key of \(kept)")
            Output.complain("\(kept) is still protected: then run `latchkey folder unprotect` on it")
        } else {
            _ = try access.vault.ask(
                RemoveEncryptedFolderCall(folder.identifier, isSure: false), because: "delete the key of \(path)")
        }
        moving.tellRemains()
        Output.confirm("\(path) is no longer protected\(moving.summary).")
        return ""
    }

    private static func change(_ folder: EncryptedFolder, _ access: FolderAccess) throws {
        _ = try access.vault.ask(ChangeEncryptedFolderCall(folder), because: "unprotect \(folder.path)")
    }

    private static func open(_ folder: EncryptedFolder, _ access: FolderAccess) throws {
        _ = try access.vault.ask(
            OpenEncryptedFolderCall(folder.identifier, at: folder.path), because: "unprotect \(folder.path)")
    }

    /// Waits until all dropped files are in an open folder. Without its key they could never be read.
    ///
    /// - Throws: `AgentError` if no file gets there in some seconds.
    private static func waitForDrops(into folder: EncryptedFolder, _ access: FolderAccess) throws {
        let clock = ContinuousClock()
        var (left, end) = (Int.max, clock.now)
        while true {
            let drops = try access.reports().first { $0.folder.identifier == folder.identifier }?.drops ?? 0
            if drops == 0 { return }
            if drops < left { end = clock.now + patience }
            left = drops
            guard clock.now < end else {
                throw AgentError(
                    .request,
                    "\(counted(drops, "dropped file")) could not be moved into \(folder.path) yet, so nothing was changed: "
                        + "run `latchkey folder status`, and try again")
            }
            usleep(50_000)
        }
    }

    private static let patience = Swift.Duration.seconds(5)
}
