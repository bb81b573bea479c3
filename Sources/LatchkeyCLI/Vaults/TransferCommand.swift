internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import PlainText

/// `latchkey transfer`
enum TransferCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let keep = Option("--keep", says: "go on using this vault beside the new one")
    }

    static let declaration = Declaration(
        name: "transfer", summary: "write the whole vault to a file, for a new machine",
        text: """
            Writes everything to FILE, which must not exist, encrypted with a passphrase: every secret and private key, also
            those that no backup contains, the settings, the log and the device file. The command asks for the passcode, and
            for a match if a secret needs one.

            On the new machine, run latchkey receive FILE. It shows a code, and latchkey retire CODE then makes this vault
            unreadable, so that there are not two. Delete FILE afterwards: with its passphrase and the passcode, it opens
            every secret that the passcode opens.
            """,
        operands: [Operand(name: "FILE", values: .file)], options: Options(),
        examples: [
            ("latchkey transfer /media/disk/vault.transfer", ""),
            ("latchkey transfer --keep vault.transfer", "both machines have the vault then"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let path = try access.newFile(given.words[0])
        let reply = try access.ask(
            TransferCall(path, isKept: given[\.keep]), because: "copy the whole vault to a file"
        ).reply
        if let warning = reply.warning { Output.complain(warning) }
        Output.write("Wrote the whole vault to \(Terminal.line(given.words[0])).\n")
        try? tellOfBound(access)  // the file is written, and the new machine names them as well
        Output.confirm(
            "Next, run `latchkey receive \(Shell.word(given.words[0]))` on the new machine. It "
                + (given[\.keep] ? "leaves this vault as it is." : "shows a code for `latchkey retire` on this one."))
        return ""
    }
}

extension TransferCommand {
    /// Names the secrets and keys that do not open on the new machine, while they still open on this one.
    fileprivate static func tellOfBound(_ access: VaultAccess) throws {
        for key in try access.keys().entries where try !Item(key.policy.control(), isKey: true).outlastsTransfer() {
            Output.complain(
                "the key \(key.name) is bound to the fingers enrolled on this machine: generate another on the new one with "
                    + "`latchkey key generate \(Shell.word(key.name)) --preset current-set`")
        }
        for entry in try access.entries(because: "look for what cannot move to another machine").entries
        where try !Item(entry.policy.control()).outlastsTransfer() {
            let name = Shell.word(entry.name)
            Output.complain(
                "\(entry.name) is bound to the fingers enrolled on this machine: read it here with `latchkey get \(name)` and "
                    + "save it on the new one with `latchkey set \(name)`")
        }
    }
}
