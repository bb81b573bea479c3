internal import AgentProtocol
internal import CommandLineKit

/// `latchkey folder`
enum FolderCommand {
    static let declaration = Declaration(
        name: "folder", summary: "keep folders encrypted while the vault is locked",
        text: """
            Keeps folders encrypted on the disk. The kernel decrypts them while the vault is unlocked, so every program works with
            them as before. The vault keeps a key for each folder, and backups and transfers of the vault carry it. The file
            system has to be able to encrypt: ext4 and f2fs can.
            """,
        commands: [
            FolderProtectCommand.declaration, FolderStatusCommand.declaration, FolderDropCommand.declaration,
            FolderUnprotectCommand.declaration, FolderForgetCommand.declaration,
        ],
        examples: [
            ("latchkey folder protect ~/journal", "encrypts a folder with everything in it"),
            ("latchkey folder status", "shows which folders are open"),
            ("latchkey folder unprotect ~/journal", "decrypts it for good"),
        ],
        statuses: ExitStatus.all(), group: "the vault")
}
