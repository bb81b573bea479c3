internal import AgentHost
internal import AgentProtocol
internal import CardKit
internal import CommandLineKit
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText
internal import SSHProtocol
internal import VaultService

/// `latchkey ssh add`
enum SSHAddCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let key = Key()
        let policy = ItemPolicyWords.Options()
    }

    struct Key: OptionList {
        let heading = "key"
        let generate = Option<GeneratedKeyType?>(
            "--generate", value: "TYPE",
            says: "generate the key first: p256 in the enclave, or a software key such as ed25519 or rsa4096")
        let importing = Option(path: "--import", says: "import the key from this file first, such as ~/.ssh/id_ed25519")
        let card = Option(
            "--card", value: "KEY",
            says: "use a key on a smart card: its pkcs11: address, or any if there is one key", values: .words(["any"])
        ) { (text) throws(UsageError) in
            do throws(CardAddress.Fault) { return try CardAddress(text) } catch {
                throw UsageError("the address after --card \(error.words)")
            }
        }
        let comment = Option("--comment", value: "TEXT", says: "the comment that SSH clients show; the name by default")
        let to = Option(
            each: "--to", value: "[HOST>]…[USER@]HOST",
            says: "use the key only for this host, and through those before it; can be repeated")
        let anyHost = Option("--any-host", says: "end the limits that --to has set for the key before")
    }

    static let declaration = Declaration(
        name: "add", summary: "show a private key to SSH clients",
        text: """
            Shows a private key of the vault to SSH clients, and prints its public key as a line for `authorized_keys`. With
            --generate or --import, the key is made first, under the access policy that you choose. A key that is shown already
            gets the new comment. It keeps its limits to hosts, unless you give others with --to, or end them with --any-host.

            With --card, the key stays on its smart card, and the vault keeps the PIN of the card under the access policy. A
            signature then needs both, the policy and the card, and one prompt.

            With --to, the agent signs only for logins to those hosts, of which it must know the keys (known_hosts), and only
            if ssh is OpenSSH 8.9 or newer. A host before a > is one over which the agent may be forwarded:
            'bastion.example>git@inner.example' allows the login to bastion.example, and from there that of git to
            inner.example. A key with --to signs no files and no commits.
            """,
        operands: [KeyAccess.operand], options: Options(),
        examples: [
            ("latchkey ssh add work/github --generate ed25519", ""),
            ("latchkey ssh add old --import ~/.ssh/id_rsa --preset passcode", "the file still has the key: delete it"),
            ("latchkey ssh add deploy --generate p256 --to git@github.com", "for one host"),
            ("latchkey ssh add yubikey --card any", "the key stays on the card"),
        ],
        statuses: ExitStatus.all(), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let (type, file, card) = (given[\.key][\.generate], given[\.key][\.importing], given[\.key][\.card])
        let isNew = type != nil || file != nil || card != nil
        if [type != nil, file != nil, card != nil].count(where: { $0 }) > 1 {
            throw UsageError("--generate, --import and --card are three ways to get a key: choose one")
        }
        let policy = try ItemPolicyWords.policy(given[\.policy])
        if !isNew && policy != nil {
            throw UsageError(
                "the key has its access policy already: add --generate, --import or --card, or leave the policy out")
        }
        if given[\.key][\.anyHost] && !given[\.key][\.to].isEmpty {
            throw UsageError("--to limits the key, and --any-host ends its limits: choose one")
        }
        // Look before anything is made.
        let destinations = try SSHDestinationWords.destinations(given[\.key][\.to], among: .ofTheUser)
        let access = try KeyAccess(given[\.vault])
        let others = try SSHListing(access).entries.map(\.name)
        if let fault = SSHKeyEntry.fault(ofFileFor: name, beside: others) { throw fault }
        if let type {
            let request = GenerateKeyCall(name, type, inEnclave: type == .p256, policy)
            _ = try access.vault.ask(request, because: "generate the key \(name)")
        } else if let file {
            try KeyFileImport.run(name, file, policy, access)
        } else if let card {
            try CardKeyChoice.add(name, card, policy, access)
        }
        var entry = SSHKeyEntry()
        entry.name = name
        entry.comment = given[\.key][\.comment] ?? ""
        entry.destinations = destinations
        entry.isForAnyHost = given[\.key][\.anyHost]
        let added = try access.vault.ask(AddSSHKeyCall(entry), because: "show the key \(name) to SSH clients").reply
        let listed = added.entry
        Output.confirm("SSH clients see \(name) now, for \(SSHDestinationWords.text(listed.destinations)).")
        Output.confirm("Its public key is in \(added.file), too.")
        if file != nil { Output.confirm("The file that you imported still has the key: delete it.") }
        return try SSHListing.key(of: listed).line(comment: Terminal.line(listed.comment)) + "\n"
    }
}

/// The destinations of a key, as they are typed.
enum SSHDestinationWords {
    /// Returns the destinations that these texts stand for. Every host before a > may be logged in to as well.
    ///
    /// - Throws: `UsageError` if a text is none, and `AgentError` if no key of a host is known.
    static func destinations(_ texts: [String], among hosts: KnownHosts) throws -> [SSHKeyDestination] {
        var destinations: [SSHKeyDestination] = []
        for text in texts {
            var former: SSHKeyDestination?
            for part in text.split(separator: ">", omittingEmptySubsequences: false) {
                var destination = SSHKeyDestination()
                var host = String(part)
                if let at = host.lastIndex(of: "@") {
                    destination.user = String(host[..<at])
                    host = String(host[host.index(after: at)...])
                }
                guard !host.isEmpty, destination.user != "", !host.contains(where: { $0.isWhitespace }) else {
                    throw UsageError("--to takes [USER@]HOST, after hosts that each end with >, and not \(text)")
                }
                destination.to = host
                destination.toKeys = hosts.keys(of: host).map { Base64.text($0) }
                guard !destination.toKeys.isEmpty else {
                    throw AgentError(
                        .notFound,
                        "no key of \(host) is known: log in to it once with ssh, or type the name as known_hosts has it, "
                            + "such as [\(host)]:2222")
                }
                destination.from = former?.to
                destination.fromKeys = former?.toKeys ?? []
                if !destinations.contains(destination) { destinations.append(destination) }
                former = destination
            }
        }
        return destinations
    }

    /// Returns destinations as they are typed, or the words for a key without any.
    static func text(_ destinations: [SSHKeyDestination]) -> String {
        destinations.isEmpty ? "any host" : Terminal.line(destinations.map { text($0) }.joined(separator: ", "))
    }

    /// Returns a destination as it is typed.
    static func text(_ destination: SSHKeyDestination) -> String {
        (destination.from.map { $0 + ">" } ?? "") + (destination.user.map { $0 + "@" } ?? "") + destination.to
    }
}
