internal import CommandLineKit
internal import FolderKit
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText

/// `latchkey folder unprotect`
enum FolderUnprotectCommand {
    static let declaration = Declaration(
        name: "unprotect", summary: "decrypt a folder for good",
        text: """
            Moves the content of a protected folder into a folder that is not encrypted, in the same place, and deletes the
            key from the vault. The content is copied and compared before the encrypted originals are deleted, so there has to be
            room for both. If the command is interrupted, run it again.
            """,
        operands: [FolderCommand.folder], options: VaultOptions(),
        examples: [("latchkey folder unprotect ~/journal", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try FolderAccess(given[\.vault])
        let path = try FolderAccess.path(given.rawWords[0])
        var folder = try access.report(at: path).folder
        (folder.path, folder.isMoving) = (path, true)
        _ = try access.vault.ask(.changeEncryptedFolder(folder), because: "unprotect \(path)")
        _ = try access.vault.ask(.openEncryptedFolder(folder.identifier, at: path), because: "unprotect \(path)")
        let moving = FolderMoving(path, to: .plain, access)
        // An interrupted run may have left only the key to delete.
        let isUnfinished = try FolderMoving.unfinished(at: path) != nil
        do {
            if isUnfinished || FolderAccess.identifier(at: path) != nil { try moving.run(folder.identifier) }
        } catch {
            if try FolderMoving.unfinished(at: path) == nil, FolderAccess.identifier(at: path) == folder.identifier {
                folder.isMoving = false
                _ = try? access.vault.client.ask(.changeEncryptedFolder(folder), of: nil)
            }
            throw error
        }
        if let kept = try FolderMoving.remains(of: path, folder.identifier).first {
            // Originals that a program has changed are encrypted by this key.
            (folder.path, folder.isMoving) = (kept, false)
            _ = try access.vault.ask(.changeEncryptedFolder(folder), because: "keep the key of \(kept)")
            Output.complain("\(kept) is still protected: then run `latchkey folder unprotect` on it")
        } else {
            _ = try access.vault.ask(
                .removeEncryptedFolder(folder.identifier, isSure: false), because: "delete the key of \(path)")
        }
        moving.tellRemains()
        Output.confirm("\(path) is no longer protected\(moving.summary).")
        return ""
    }
}
