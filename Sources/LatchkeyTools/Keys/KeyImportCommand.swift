internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI

/// `latchkey key import`
enum KeyImportCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let policy = ItemPolicyWords.Options()
    }

    static let declaration = Declaration(
        name: "import", summary: "import a private key from a file",
        text: """
            Imports the private key in FILE, or in standard input: PKCS#8, SEC 1 or PKCS#1, in PEM or DER, a private key of
            OpenSSH, for whose passphrase ssh-keygen asks, or a PKCS#12 archive with one key, for whose passphrase the
            command asks. The certificate of an archive comes along. An imported key is never in the enclave, and the file that it came from
            still has it: delete that.
            """,
        operands: [KeyAccess.operand, KeyFiles.operand(says: "the file of the key; standard input by default")],
        options: Options(),
        examples: [
            ("latchkey key import deploy deploy.pem --preset passcode", "the passcode uses the key from now on"),
            ("latchkey key import mail mail.p12", "imports the key and its certificate"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let access = try KeyAccess(given[\.vault])
        try KeyFileImport.run(name, given.rawWords.dropFirst().first, policy, access)
        let key = try access.key(name, because: "look at \(name)")
        Output.confirm("Imported \(name): \(key.entry.words). The file still has the key: delete it.")
        return ""
    }
}
