internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText
internal import SSHProtocol
internal import VaultService

/// `latchkey ssh`
enum SSHCommand {
    static let declaration = Declaration(
        name: "ssh", summary: "choose the private keys that ssh and git use",
        text: """
            Shows private keys of the vault to SSH clients. The agent lists their public halves, also while the vault is
            locked, and the first signature unlocks it. Each signature needs the authentication of the key's access policy,
            and its prompt names the host and the user. `latchkey ssh-agent` says where SSH clients connect.
            """,
        commands: [
            SSHAddCommand.declaration, SSHListCommand.declaration, SSHPublicCommand.declaration,
            SSHRemoveCommand.declaration,
        ],
        examples: [
            ("latchkey ssh add work/github --generate ed25519", "generates a key, and prints its line for the host"),
            ("eval \"$(latchkey ssh-agent)\"", "has ssh and git in this shell use it"),
            ("latchkey ssh list", ""),
        ],
        statuses: ExitStatus.all(), group: "secrets")
}

/// `latchkey ssh list`
enum SSHListCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let names = Option("--names", says: "print only names, one on each line")
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "list", summary: "list the keys that SSH clients see",
        text: """
            Lists the keys that SSH clients see, each with its type, its fingerprint as ssh shows it, its comment, and the
            hosts that it is limited to. It works while the vault is locked, and never prompts.
            """,
        options: Options(), examples: [("latchkey ssh list", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let listing = try SSHListing(KeyAccess(given[\.vault], mayAsk: false))
        if given[\.json] { return listing.entries.map { $0.head.text + "\n" }.joined() }
        if given[\.names] { return listing.entries.map { Terminal.line($0.name) + "\n" }.joined() }
        if listing.entries.isEmpty && isatty(STDOUT_FILENO) == 1 {
            Output.confirm("SSH clients see no keys yet. To add one, run `latchkey ssh add NAME`.")
        }
        var table = TextTable()
        for entry in listing.entries {
            let key = try SSHListing.key(of: entry)
            table.rows.append([
                .init(Terminal.line(entry.name, longest: TextTable.longestName)), .init(key.key.type.word),
                .init(key.fingerprint), .init(Terminal.line(entry.comment, longest: TextTable.longestName)),
                .init(SSHDestinationWords.text(entry.destinations), .faint),
            ])
        }
        return table.text(colored: Output.isColored)
    }
}

/// `latchkey ssh public`
enum SSHPublicCommand {
    static let declaration = Declaration(
        name: "public", summary: "print the public key as a line for authorized_keys",
        text: """
            Prints the public key of a private key as a line for `authorized_keys` on a host, or for the settings of a
            service such as GitHub. If SSH clients see the key, it works while the vault is locked.
            """,
        operands: [Operand(name: "NAME", values: .shownKey)], options: VaultOption(),
        examples: [("latchkey ssh public work/github", "")], statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let name = given.words[0]
        let access = try KeyAccess(given[\.vault])
        if let entry = try SSHListing(access).entries.first(where: { $0.name == name }) {
            return try SSHListing.key(of: entry).line(comment: Terminal.line(entry.comment)) + "\n"
        }
        let key = try access.key(name, because: "show the public key of \(name)")
        return SSHPublicKey(key.publicKey).line(comment: Terminal.line(key.entry.name)) + "\n"
    }
}

/// `latchkey ssh remove`
enum SSHRemoveCommand {
    static let declaration = Declaration(
        name: "remove", summary: "hide keys from SSH clients",
        text: """
            Takes keys off the list that SSH clients see. The private keys stay in the vault; `latchkey key rm` deletes them
            there.
            """,
        operands: [Operand(name: "NAME", values: .shownKey, isRepeated: true)],
        options: VaultOption(), examples: [("latchkey ssh remove work/github", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try KeyAccess(given[\.vault])
        for name in given.words {
            _ = try access.vault.ask(RemoveSSHKeyCall(name), because: "hide the key \(name)")
            Output.confirm("SSH clients no longer see \(name). The key stays in the vault.")
        }
        return ""
    }
}
