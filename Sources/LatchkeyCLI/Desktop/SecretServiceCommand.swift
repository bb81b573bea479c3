package import AgentProtocol
package import CommandLineKit
internal import PlainText

/// `latchkey secret-service`
enum SecretServiceCommand {
    static let declaration = Declaration(
        name: "secret-service", summary: "let programs of the desktop keep their secrets in the vault",
        text: """
            Serves the vault as org.freedesktop.secrets, the service that browsers, mail programs and git ask for secrets. Each
            program is asked about each secret, by the policy of the secret, and no program gets all of them in silence.
            docs/secret-service.md describes what programs see and when you are asked.
            """,
        commands: [
            SecretServiceSwitch.enabling, SecretServiceSwitch.disabling, SecretServiceStatusCommand.declaration,
            SecretServiceExplainCommand.declaration, SecretServiceRulesCommand.declaration,
            SecretServiceFolders.sharing, SecretServiceFolders.unsharing,
        ],
        examples: [
            ("latchkey secret-service enable", "programs of the desktop keep their secrets in the vault"),
            ("latchkey secret-service status", "shows who serves secrets now"),
            ("latchkey secret-service explain", "says why a program was asked, or was not"),
        ],
        statuses: ExitStatus.all(), group: "the vault")
}

/// A connection to the agent for a command on the Secret Service.
package struct SecretServiceAccess {
    package let vault: VaultAccess

    /// Connects to the agent.
    package init(_ choice: Given<VaultChoice>, mayAsk: Bool = true) throws {
        vault = try VaultAccess(choice, mayAsk: mayAsk)
    }

    /// Returns what the service shows now. It never prompts.
    package func report() throws(AgentError) -> SecretServiceReport {
        try vault.client.ask(SecretServiceCall(), of: nil).reply
    }

    /// Changes a setting of the vault, which takes the passcode.
    package func change(_ name: SettingName, to value: SettingValue) throws {
        _ = try vault.ask(
            SettingsCall(SettingChanges(.vault, [name: value])), because: "change the settings of the vault")
    }
}

/// `latchkey secret-service enable` and `disable`
enum SecretServiceSwitch {
    static let enabling = Declaration(
        name: "enable", summary: "serve the vault to programs of the desktop",
        text: """
            Turns the service on, which takes the passcode. The agent owns the name on the bus of the session while it runs. If
            another program has the name, the agent gets it when that program leaves, and the command says how to turn that off.

            An installed latchkey also tells the bus of your sessions to start the agent of the default vault, if a program asks
            for secrets before any command did.
            """,
        options: VaultOption(), examples: [("latchkey secret-service enable", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists])
    ) { given in
        let access = try SecretServiceAccess(given[\.vault])
        try access.change(.secretService, to: true)
        if let files = ActivationFiles(of: try VaultAccess.place(given[\.vault])) {
            let folder = try files.install()
            Output.confirm("Enabled. The bus starts the agent for programs that ask: see \(folder).")
        } else {
            Output.confirm("Enabled. Programs find the vault while its agent runs.")
        }
        return SecretServiceOwner.advice(try access.settledReport())
    }

    static let disabling = Declaration(
        name: "disable", summary: "stop serving the vault to programs of the desktop",
        text: """
            Turns the service off, which takes the passcode. What programs stored stays in the vault, and they find it again when
            you turn the service on.
            """,
        options: VaultOption(), examples: [("latchkey secret-service disable", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists])
    ) { given in
        let access = try SecretServiceAccess(given[\.vault])
        try access.change(.secretService, to: false)
        ActivationFiles(of: try VaultAccess.place(given[\.vault]))?.remove()
        Output.confirm("Disabled. What programs stored stays in the vault.")
        return ""
    }
}

/// `latchkey secret-service status`
enum SecretServiceStatusCommand {
    static let declaration = Declaration(
        name: "status", summary: "show who serves secrets to the desktop, and what programs see",
        text: """
            Shows which program owns org.freedesktop.secrets, whether the vault is locked, the collections with the number of
            their items, and the programs that get no prompt because you dismissed one. Never prompts.
            """,
        options: VaultReportOptions(),
        examples: [
            ("latchkey secret-service status", ""), ("latchkey secret-service status --json", "prints one JSON object"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal, .denied]), run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        var report = try SecretServiceAccess(given[\.vault], mayAsk: false).report()
        if given[\.json] {
            report.requests = []
            return report.head.text + "\n"
        }
        var table = TextTable()
        table.rows.append([.init("service", .faint), .init(Terminal.line(SecretServiceOwner.words(report)))])
        table.rows.append([
            .init("vault", .faint), .init(report.isLocked ? "locked: programs see items, and open none" : "unlocked"),
        ])
        for collection in report.collections {
            let hidden = collection.isHidden ? ", hidden while the vault is locked" : ""
            let folder = Terminal.line(collection.folder, longest: TextTable.longestName)
            let label = Terminal.line(collection.label, longest: TextTable.longestName)
            let names = label == folder ? folder : "\(folder) (\(label))"
            table.rows.append([
                .init("collection", .faint), .init("\(names): \(counted(collection.items, "item"))\(hidden)"),
            ])
        }
        let rules = (try? SecretRules(report.rules))?.rules.count ?? 0
        table.rows.append([
            .init("rules", .faint), .init(rules == 0 ? "none: each program is asked about each item" : "\(rules)"),
        ])
        for silence in report.silences {
            let until = ShownTime.text(Int64(silence.end) * 1000)
            let words = silence.program.map { "\($0), until \(until)" } ?? "every program, until \(until)"
            table.rows.append([.init("silent", .faint), .init(Terminal.line(words), .bad)])
        }
        return table.text(colored: Output.isColored) + silenceAdvice(report) + SecretServiceOwner.advice(report)
    }

    /// Returns the reason why programs get no prompt, and the way to end that; empty if all do.
    private static func silenceAdvice(_ report: SecretServiceReport) -> String {
        if report.silences.isEmpty { return "" }
        return """
            A silent program gets no prompt for a minute after you dismissed one, or left four without an answer. After four such
            programs, none gets one. To let them prompt again now, run `latchkey unlock`.

            """
    }
}

/// `latchkey secret-service share` and `unshare`
enum SecretServiceFolders {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let hidden = Option("--hidden", says: "show nothing of it while the vault is locked")
    }

    private static let folder = Operand(name: "FOLDER", says: "a folder of the vault, such as work")

    static let sharing = Declaration(
        name: "share", summary: "show a folder of the vault to programs of the desktop",
        text: """
            Shows a folder as a collection: programs find its secrets by the attribute latchkey:name, and see labels and
            attributes without a prompt. The secrets keep their policies. Run it again with or without --hidden to change that: a
            hidden collection shows nothing while the vault is locked, so a program that looks for its key then does not find it.
            """,
        operands: [folder], options: Options(),
        examples: [
            ("latchkey secret-service share work", "secret-tool lookup latchkey:name work/token finds the token"),
            ("latchkey secret-service share --hidden login", "a locked vault does not tell what programs stored"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists])
    ) { given in
        let access = try SecretServiceAccess(given[\.vault])
        let folder = String.folder(given.words[0])
        _ = try access.vault.ask(
            ShareFolderCall(folder, isHidden: given[\.hidden]), because: "show the folder \(folder)")
        Output.confirm(
            "Programs of the desktop see \(folder) now\(given[\.hidden] ? ", while the vault is unlocked" : "").")
        return ""
    }

    static let unsharing = Declaration(
        name: "unshare", summary: "stop showing a folder to programs of the desktop",
        text: "Ends showing a folder. Its secrets stay in the vault, with what programs stored about them.",
        operands: [folder], options: VaultOption(), examples: [("latchkey secret-service unshare work", "")],
        statuses: ExitStatus.all(but: [.exists])
    ) { given in
        let access = try SecretServiceAccess(given[\.vault])
        let folder = String.folder(given.words[0])
        _ = try access.vault.ask(UnshareFolderCall(folder), because: "stop showing the folder \(folder)")
        Output.confirm("Programs of the desktop do not see \(folder) any more. Its secrets stay.")
        return ""
    }
}
