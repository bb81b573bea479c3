internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import KeyKit
internal import LatchkeyCLI

/// `latchkey key generate`
enum KeyGenerateCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let key = Key()
        let policy = ItemPolicyWords.Options()
    }

    struct Key: OptionList {
        let heading = "key"
        let type = Option<GeneratedKeyType?>(
            "--type", value: "TYPE",
            says:
                "type of the key: \(GeneratedKeyType.allCases.map(\.rawValue).joined(separator: ", ")); p256 by default"
        )
        let software = Option(
            "--software", says: "generate a software key even for p256; other types are never in the enclave")
    }

    static let declaration = Declaration(
        name: "generate", summary: "generate a private key",
        text: """
            Generates a private key and prints its public key in PEM. A P-256 key is in the enclave of the vault, so it can
            sign and decrypt but never leave it. Generating needs no authentication. With biometryCurrentSet, the key is
            bound to the fingers and faces enrolled now, and can never be used again once the set has changed.
            """,
        operands: [KeyAccess.operand],
        options: Options(),
        examples: [
            (
                "latchkey key generate work/signing --preset current-set",
                "a key that only the fingers enrolled now can use"
            ),
            ("latchkey key generate deploy --preset passcode > deploy.pem", "a key that the passcode uses"),
            ("latchkey key generate --type rsa3072 mail", "a software key"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let type = given[\.key][\.type] ?? .p256
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let access = try KeyAccess(given[\.vault])
        let request = GenerateKeyCall(
            name, type, inEnclave: type == .p256 && !given[\.key][\.software], policy)
        let key = try KeyAccess.Key(access.vault.ask(request, because: "generate the key \(name)").reply)
        Output.confirm("Generated \(name): \(key.entry.words).")
        return try key.publicKey.pem()
    }
}
