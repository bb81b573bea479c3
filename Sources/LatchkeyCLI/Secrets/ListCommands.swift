internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools

/// `latchkey list`
enum ListCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let names = Option("--names", says: "print only names, one on each line, and never prompt")
        let tree = Option("--tree", says: "print a tree of names")
        let json = Option("--json", says: "print one JSON object on each line")
        let deleted = Option("--deleted", says: "list the deleted secrets instead that latchkey undo can bring back")
    }

    static let declaration = declaration(
        "list", "list secrets and their access policies",
        """
        Lists every secret with its access policy and when it prompts: or only those in FOLDER, or those that match it,
        where * matches anything. If the vault is locked, you enter the passcode first. The table cuts a name of more than
        60 characters; --names and --json show it whole.
        """)

    /// The short name that shells have taught people.
    static let short = declaration("ls", "list secrets, as latchkey list does", "Does what latchkey list does.")

    private static let lockedWords = "The vault is locked, so no names are listed. To see them, run `latchkey unlock`."

    private static func declaration(_ name: String, _ summary: String, _ text: String) -> Declaration {
        Declaration(
            name: name, summary: summary, text: text,
            operands: [Operand(name: "FOLDER", values: .secret, isOptional: true)],
            options: Options(),
            examples: [
                ("latchkey \(name) work", "lists the folder work"),
                ("latchkey \(name) --tree 'work/*token'", ""),
                ("latchkey \(name) --deleted", "lists what latchkey undo can bring back"),
            ],
            statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)
    }

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: !given[\.names])
        let filter = given.words.first.map { NameFilter($0) }
        if given[\.deleted] {
            if given[\.tree] { throw UsageError("--deleted and --tree exclude each other") }
            return try listDeleted(given, filter, access)
        }
        let wanted: (Entry) -> Bool = { entry in
            guard let filter else { return true }
            // Other programs may use names that no command takes. Such a name is only listed without a filter.
            return (try? SecretName(entry.name)).map { filter.matches($0) } ?? false
        }
        let style: EntryOutput.Style =
            given[\.json] ? .json : given[\.tree] ? .tree : given[\.names] ? .names : .table
        let output = try EntryOutput.write(style, of: access, isQuiet: given[\.names], where: wanted)
        if output.total == 0 && output.locked > 0 {
            if isatty(STDOUT_FILENO) == 1 { Output.confirm(Self.lockedWords) }
        } else if output.total == 0 {
            if isatty(STDOUT_FILENO) == 1 { Output.confirm("No secrets yet. To save one, run `latchkey set NAME`.") }
        } else if output.count == 0, !given[\.names], let text = given.words.first {
            throw AgentError(.notFound, "no secret matches \(text): run `latchkey list` to see the names")
        }
        return output.lines
    }
}

extension ListCommand {
    /// Lists the deleted secrets, each with the time of its deletion, and the time until which it can come back.
    private static func listDeleted(
        _ given: Given<Options>, _ filter: NameFilter?, _ access: VaultAccess
    ) throws -> String {
        let reason = "list the deleted secrets"
        let (all, locked) =
            given[\.names] ? try access.listDeleted(because: reason) : try access.deleted(because: reason)
        let entries = all.filter { one in
            filter.map { filter in (try? SecretName(one.entry.name)).map { filter.matches($0) } ?? false } ?? true
        }
        if given[\.names] { return entries.map { Terminal.line($0.entry.name) + "\n" }.joined() }
        if locked > 0 && all.isEmpty {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        if given[\.json] { return entries.map { $0.head.text + "\n" }.joined() }
        if entries.isEmpty {
            if let text = given.words.first, !all.isEmpty {
                throw AgentError(.notFound, "no deleted secret matches \(text): run `latchkey list --deleted`")
            }
            if isatty(STDOUT_FILENO) == 1 { Output.confirm("No deleted secret can be brought back.") }
        }
        var table = TextTable()
        let kept = Int64(try access.settings().history)
        table.rows = entries.map { one in
            [
                .init(Terminal.line(one.entry.name)),
                .init("deleted \(ShownTime.text(one.deleted * 1000))", .faint),
                .init("can come back until \(ShownTime.text((one.deleted + kept) * 1000))", .faint),
            ]
        }
        return table.text(colored: Output.isColored)
    }
}

/// `latchkey search`
enum SearchCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let names = Option("--names", says: "print only names, one on each line, and never prompt")
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "search", summary: "find secrets by parts of their names and comments",
        text: """
            Lists the secrets whose name or comment contains TEXT; with several texts, all of them. Upper and lower case are
            alike. The values of secrets are not searched. If the vault is locked, you enter the passcode first.
            """,
        operands: [Operand(name: "TEXT", isRepeated: true)], options: Options(),
        examples: [
            ("latchkey search github", "lists what has github in its name or comment"),
            ("latchkey search --names alice mail", ""),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: !given[\.names])
        let texts = given.words.map { $0.lowercased() }
        let wanted: (Entry) -> Bool = { entry in
            let searched = entry.name.lowercased() + "\n" + entry.comment.lowercased()
            return texts.allSatisfy { searched.contains($0) }
        }
        let style: EntryOutput.Style = given[\.json] ? .json : given[\.names] ? .names : .table
        let output = try EntryOutput.write(
            style, of: access, withComments: true, isQuiet: given[\.names], where: wanted)
        if output.count == 0 {
            if output.locked > 0 {
                throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
            }
            throw AgentError(
                .notFound,
                "no name or comment contains \(given.words.joined(separator: " and ")): run `latchkey list` to see the names"
            )
        }
        return output.lines
    }
}

/// `latchkey show`
enum ShowCommand {
    static let declaration = Declaration(
        name: "show", summary: "show everything about a secret but its contents",
        text: """
            Shows the policy, the comment and the dates of a secret, and what reading it would take now. If the vault is
            locked, you enter the passcode first. The names of its fields are protected like the secret: if it requires
            authentication, latchkey history lists them.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: VaultReportOptions(), examples: [("latchkey show work/token", "")],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let (item, outlook) = try access.entry(of: try access.chosen(given.words[0]))
        // Not with an authentication that counts for a while: a look must not prolong that.
        let isOpen = outlook == .granted && !item.policy.isProtected
        let versions = isOpen ? access.quietVersions(of: item.name) : nil
        if given[\.json] {
            var head = WireObject(["item": .object(item.head.fields), "outlook": .object(outlook.head.fields)])
            if let fields = versions?.first?.fields { head["fields"] = .array(fields.map { .string($0) }) }
            return head.text + "\n"
        }
        var table = TextTable()
        func row(_ label: String, _ text: String, _ tone: TextTable.Tone = .plain) {
            table.rows.append([.init(label, .faint), .init(Terminal.line(text), tone)])
        }
        row("name", item.name)
        if !item.comment.isEmpty { row("comment", item.comment) }
        if let fields = versions?.first?.fields {
            if !fields.isEmpty { row("fields", fields.joined(separator: ", ")) }
        } else {
            row("fields", "sealed with the secret: latchkey history \(Shell.word(item.name))")
        }
        row("policy", item.policy.title)
        let isReused = try access.isReused(item.policy)
        // A policy that allows reuse asks each time in a vault that keeps no authentication.
        let isTurnedOff = item.policy.isReused && !isReused
        row(
            "prompting",
            ItemPolicyWords.prompting(item.policy, isReused: isReused)
                + (isTurnedOff ? ", because the vault's setting reuse is 0" : ""))
        if item.policy.takesFinger && access.usesFprintd { row("fingers", EnrolledSet.limit) }
        row("saved", ShownTime.text(item.created * 1000))
        row("changed", ShownTime.text(item.modified * 1000))
        switch outlook {
        case .granted: row("now", "readable without authentication", .good)
        case .asks(let ways):
            let words = ways.map { $0.map(factor).joined(separator: " and ") }
            row("now", "readable with \(words.joined(separator: ", or else "))")
        case .denied(let rule, let message, let remedy):
            let nextStep = Rule(identifier: rule)?.remedy.text ?? remedy
            if rule == Rule.biometryNoHardware.identifier, let trouble = access.sensorTrouble {
                row("now", "not readable: \(trouble)", .bad)
                break
            }
            let fault = AgentError(.denied, "\(message) (\(rule)): \(nextStep)", rule: rule)
            row("now", "not readable: \(fault.inCommandWords(for: item.name))", .bad)
        }
        return table.text(colored: Output.isColored)
    }

    private static func factor(_ word: String) -> String {
        switch word {
        case "passcode": "the passcode"
        case "biometry": "a finger or face"
        case "companion": "a companion device"
        case "applicationPassword": "the application password"
        default: word
        }
    }
}
