internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI

/// `latchkey key`
enum KeyCommand {
    static let declaration = Declaration(
        name: "key", summary: "generate private keys, and sign and decrypt with them",
        text: """
            Keeps private keys in the vault, each behind an access policy, which you satisfy whenever the key signs or
            decrypts. A generated P-256 key is in the enclave of the vault: nothing exports it. Any other key is a
            software key, whose bytes the agent reads under the access policy and no command prints. The names of keys
            and of secrets are apart.
            """,
        commands: [
            KeyGenerateCommand.declaration, KeyImportCommand.declaration, KeyListCommand.declaration,
            KeyPublicCommand.declaration, KeySignCommand.declaration, KeyVerifyCommand.declaration,
            KeyEncryptCommand.declaration, KeyDecryptCommand.declaration, KeyCertificateCommand.declaration,
            KeyRemoveCommand.declaration,
        ],
        examples: [
            ("latchkey key generate work/signing", "generates a key in the enclave; a finger or the passcode uses it"),
            ("latchkey key sign work/signing release.tar > release.sig", "signs a file"),
            ("latchkey key public work/signing > signing.pem", "writes the public key, for openssl and others"),
        ],
        statuses: ExitStatus.all(), group: "secrets")
}

/// `latchkey key rm`
enum KeyRemoveCommand {
    static let declaration = Declaration(
        name: "rm", summary: "delete private keys for good",
        text: """
            Deletes private keys for good, with their certificates. As on Apple's devices, deleting never asks for
            authentication. Nothing brings back a key in the enclave.
            """,
        operands: [Operand(name: "NAME", values: .key, isRepeated: true)],
        options: VaultOption(), examples: [("latchkey key rm work/old-signing", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try KeyAccess(given[\.vault])
        for name in given.words {
            _ = try access.vault.ask(RemoveKeyCall(name), because: "delete the key \(name)")
            Output.confirm("Deleted the key \(name).")
        }
        return ""
    }
}
