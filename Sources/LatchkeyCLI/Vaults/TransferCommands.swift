internal import AccessPolicy
internal import CommandLineKit
internal import Glibc
internal import Latchkey
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretVault
internal import SodiumKit
internal import UserPresence

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
        guard access.client.knowsTransfer else { throw AgentError.ofEarlierVersion }
        guard access.user != nil else { throw access.refusal }
        let path = try VaultAccess.absolute(given.words[0])
        // Check before the prompts, so that you never type a passphrase for a file that cannot be written.
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(KeychainError.vault(error)) }
        var head = try access.ask(
            .transfer(path, isKept: given[\.keep]), because: "copy the whole vault to a file"
        ).head
        if let warning = try head.consumeTextIfPresent("warning") { Output.complain(warning) }
        Output.write("Wrote the whole vault to \(Terminal.line(given.words[0])).\n")
        try tellOfBound(access)
        Output.confirm(
            "On the new machine, run `latchkey receive FILE`. "
                + (given[\.keep] ? "Then delete the file." : "It shows a code for `latchkey retire` on this one."))
        return ""
    }
}

extension TransferCommand {
    /// Names the secrets that do not open on the new machine, while they still open on this one.
    fileprivate static func tellOfBound(_ access: VaultAccess) throws {
        for entry in try access.entries().entries where try !Item(entry.policy.control()).outlastsTransfer() {
            let name = Shell.word(entry.name)
            Output.complain(
                "\(entry.name) is bound to the fingers enrolled on this machine: read it here with `latchkey get \(name)` and "
                    + "save it on the new one with `latchkey set \(name)`")
        }
    }
}

/// `latchkey retire`
enum RetireCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let yes = Option("--yes", says: "do not ask first")
    }

    static let declaration = Declaration(
        name: "retire", summary: "make this vault unreadable, once another machine has it",
        text: """
            Destroys the keys of this vault for good and deletes its folder. CODE is what latchkey receive showed on the new
            machine. It fits only the secrets that this vault had when latchkey transfer wrote them; if one has changed since,
            nothing is destroyed.
            """,
        operands: [Operand(name: "CODE")], options: Options(),
        examples: [("latchkey retire 3f9a-01bc-77de-10aa", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard access.client.knowsTransfer else { throw AgentError.ofEarlierVersion }
        let folder = access.client.vault
        if !given[\.yes] {
            let question = "Destroy the keys of the vault in \(Terminal.line(folder)) for good?"
            guard try access.prompter.confirms(question, else: "add --yes") else {
                throw AgentError(.dismissed, "nothing was destroyed: add --yes to do it without a question")
            }
        }
        let place = try VaultAccess.place(given[\.vault])
        let agent = WatchedProcess(access.client.process)
        _ = try access.client.ask(.retire(given.words[0]), of: nil)
        _ = agent.isGone(within: AgentClient.patienceAtEnd)
        let isEmpty = place.removeVault()
        Output.confirm("Destroyed the keys of this vault. Now delete the file of the transfer.")
        if !isEmpty { Output.complain("other files are in \(Terminal.line(folder)), and they stay") }
        return ""
    }
}

/// `latchkey receive`
enum ReceiveCommand {
    static let declaration = Declaration(
        name: "receive", summary: "create the vault that another machine wrote with latchkey transfer",
        text: """
            Creates a vault from FILE, with everything that the old one had. Asks for the passphrase of the file and for the
            passcode; if the passcode was your login password, the new one is that of this machine. Then it verifies every
            secret and shows the code for latchkey retire on the old machine.

            The sensor of this machine is another one, as on a new phone: secrets bound to the enrolled fingers no longer open,
            and those for any finger open with the fingers of this machine.
            """,
        operands: [Operand(name: "FILE", values: .file)], options: VaultOptions(),
        examples: [("latchkey receive /media/disk/vault.transfer", "")],
        statuses: ExitStatus.all(but: [.notFound]), group: "the vault", run: run)

    private static let reason = "receive the vault"

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let folder = try NewVault.place(given[\.vault])
        let file = try VaultAccess.absolute(given.words[0])
        // Check both before the prompts, so that you never type a passphrase in vain.
        do throws(VaultError) { try Vault.requireTransfer(at: file) } catch {
            throw AgentError(KeychainError.vault(error))
        }
        try NewVault.prepare(folder)
        let place = AgentPlace(vault: folder, usual: nil, runtime: nil)
        let opened = try opened(file)
        var pam: NewPAMService?
        defer { pam?.removeDraft() }
        var refusal: (any Error)?
        let received: Vault.Received
        do throws(VaultError) {
            received = try Vault.receive(opened, at: folder) { former in
                do {
                    var settings = try VaultSettings(sealed: former, of: place)
                    if settings.pam != nil {
                        pam = try NewPAMService(named: nil, beside: folder)
                        settings.pam = pam?.settings(in: place)
                    }
                    return settings.bytes(for: place)
                } catch {
                    refusal = error
                    throw error
                }
            }
        } catch { throw refusal ?? AgentError(KeychainError.vault(error)) }
        received.vault.close()
        let count: Int
        do {
            try pam?.move(into: place)
            count = try verified(folder, pam?.authenticator(in: place))
        } catch {
            place.removeVault()
            throw error
        }
        Output.write("Received the vault in \(Terminal.line(folder)): \(counted(count, "secret")).\n")
        if received.invalidated > 0 {
            Output.complain(
                "\(counted(received.invalidated, "secret")) bound to the fingers of the old machine opens no more: "
                    + "`latchkey transfer` named it there; save it again with `latchkey set`")
        }
        guard let code = received.retirementCode else {
            Output.confirm("Two vaults exist now. Delete \(given.words[0]).")
            return ""
        }
        Output.confirm("On the old machine, run `latchkey retire \(code)`. Then delete \(given.words[0]).")
        return ""
    }

    /// Opens the file with its passphrase, which the user may type three times.
    private static func opened(_ file: String) throws -> Vault.OpenedTransfer {
        var attempt = 1
        while true {
            var content = PromptContent(.passphrase, reason: reason, app: "latchkey")
            content.attempt = attempt
            let response = TerminalUser().answer(Prompt(content))
            guard case .typed(let passphrase) = consume response else {
                throw AgentError(.dismissed, "you typed nothing, and no vault was created")
            }
            do throws(VaultError) {
                return try Vault.openTransfer(at: file, passphrase: passphrase)
            } catch {
                guard case .wrongPassphrase = error, attempt < 3 else { throw AgentError(KeychainError.vault(error)) }
            }
            attempt += 1
        }
    }

    /// Unlocks the new vault and verifies it. Returns the number of its secrets.
    private static func verified(_ folder: String, _ authenticator: PAMAuthenticator?) throws -> Int {
        let report: VerifyReport
        do throws(KeychainError) {
            let keychain = try Keychain.openUnasked(at: folder, authenticator: authenticator, user: TerminalUser())
            defer { keychain.close() }
            try keychain.unlock(reason: reason)
            report = try keychain.verify()
        } catch { throw AgentError(error) }
        if let finding = report.findings.first { throw AgentError(.damaged, finding.description) }
        return report.items
    }
}
