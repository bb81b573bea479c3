internal import AccessPolicy
internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText
internal import SecretTools

/// `latchkey list`
enum ListCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let names = Option("--names", says: "print only names, one on each line, and never prompt")
        let tree = Option("--tree", says: "print a tree of names")
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "list", summary: "list secrets and their access policies",
        text: """
            Lists every secret with its access policy: or only those in FOLDER, or those that match it, where * matches
            anything. If the vault is locked, you enter the passcode first.
            """,
        operands: [Operand(name: "FOLDER", values: .secret, isOptional: true)],
        options: Options(),
        examples: [
            ("latchkey list work", "lists the folder work"),
            ("latchkey list --tree 'work/*token'", ""),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: !given[\.names])
        let (entries, locked, damaged) = try access.entries(withComments: given[\.json])
        if locked > 0 && entries.isEmpty && !given[\.names] {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        let lines = lines(of: entries, given)
        if given[\.names] || locked + damaged == 0 {
            if lines.isEmpty, isatty(STDOUT_FILENO) == 1 {
                let pattern = given.words.first.map { "No secret matches \(Terminal.line($0))." }
                Output.confirm(pattern ?? "No secrets yet. To save one, run `latchkey set NAME`.")
            }
            return lines
        }
        // Say that the list is incomplete, and exit with a status of its own: some must not pass for all.
        Output.write(lines)
        if locked > 0 { Output.complain("\(counted(locked, "more secret")) locked: run `latchkey unlock`") }
        if damaged > 0 { Output.complain("\(counted(damaged, "more secret")) damaged: run `latchkey verify`") }
        exit(ExitStatus.of(damaged > 0 ? .damaged : .locked))
    }

    private static func lines(of entries: [Entry], _ given: Given<Options>) -> String {
        let filter = given.words.first.map { NameFilter($0) }
        let wanted = entries.filter { entry in
            guard let filter else { return true }
            // Other programs may use names that no command takes. Such a name is only listed without a filter.
            return (try? SecretName(entry.name)).map { filter.matches($0) } ?? false
        }
        if given[\.json] { return wanted.map { $0.head.text + "\n" }.joined() }
        if given[\.tree] {
            let names = wanted.compactMap { try? SecretName($0.name) }
            return NameTree(names).lines().map { Terminal.line($0) + "\n" }.joined()
        }
        if given[\.names] { return wanted.map { Terminal.line($0.name) + "\n" }.joined() }
        var table = TextTable()
        for entry in wanted {
            table.rows.append([
                .init(Terminal.line(entry.name)), .init(ItemPolicyWords.text(entry.policy)),
                .init(entry.policy.protection.name, .faint),
            ])
        }
        return table.text(colored: Output.isColored)
    }
}

/// `latchkey show`
enum ShowCommand {
    static let declaration = Declaration(
        name: "show", summary: "show everything about a secret but its value",
        text: """
            Shows everything about a secret but its value, and what reading it would take now. If the vault is locked, you
            enter the passcode first.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: VaultReportOptions(), examples: [("latchkey show work/token", "")],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let (item, outlook) = try access.entry(of: given.words[0])
        if given[\.json] {
            return Head(["item": .object(item.head.fields), "outlook": .object(outlook.head.fields)]).text + "\n"
        }
        var table = TextTable()
        func row(_ label: String, _ text: String, _ tone: TextTable.Tone = .plain) {
            table.rows.append([.init(label, .faint), .init(Terminal.line(text), tone)])
        }
        row("name", item.name)
        if !item.comment.isEmpty { row("comment", item.comment) }
        row("requires", ItemPolicyWords.text(item.policy))
        row("accessible", item.policy.protection.name)
        row("prompting", ItemPolicyWords.prompting(item.policy))
        if item.policy.isProtected {
            // In the model of the prover, the session is an app, which keeps its context or does not.
            row("to prove", "latchkey prove --contexts \(item.policy.isReused ? "kept" : "fresh")")
        }
        if item.policy.takesFinger && access.usesFprintd { row("fingers", BiometrySetup.limit) }
        row("saved", Moment.text(item.created * 1000))
        row("changed", Moment.text(item.modified * 1000))
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
