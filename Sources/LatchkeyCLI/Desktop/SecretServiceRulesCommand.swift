internal import AgentProtocol
internal import CommandLineKit
internal import PlainText

/// `latchkey secret-service rules`
enum SecretServiceRulesCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let check = Option("--check", says: "check the file, and change nothing")
    }

    static let declaration = Declaration(
        name: "rules", summary: "show or replace the rules for programs of the desktop",
        text: """
            Without FILE, shows the rules. With FILE, checks it and replaces them, which takes the passcode: the rules are sealed
            in the vault, because any program of yours could change a file.

            A rule is a line ATTRIBUTE=PATTERN -> WORDS. It is about items whose attributes match all patterns, in which * stands
            for any text. The first rule that matches holds. The words:

              each-time          each program is asked about each item; so are all items without a rule
              once-per-session   after one authentication, your programs get the items until the next lock
              require=FLAGS      what new items require, such as userPresence or biometryCurrentSet; or nothing
              accessible=CLASS   the accessibility class of new items, such as whenUnlocked
            """,
        operands: [
            Operand(
                name: "FILE", says: "the file with the new rules", values: .file, isOptional: true, takesAnyBytes: true)
        ],
        options: Options(),
        examples: [
            ("latchkey secret-service rules", "shows the rules"),
            ("latchkey secret-service rules my.rules", "replaces them"),
            ("latchkey secret-service rules --check my.rules", "says what is wrong with a file"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        guard let file = given.rawWords.first?.text else {
            if given[\.check] { throw UsageError("--check needs a file") }
            let text = try SecretServiceAccess(given[\.vault], mayAsk: false).report().rules
            if text.isEmpty { Output.confirm("No rules: each program is asked about each item.") }
            return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        }
        let rules: SecretRules
        let text = try SmallFile.text(file)
        do throws(AgentError) { rules = try SecretRules(text) } catch {
            throw AgentError(.request, "\(Terminal.line(file)): \(error.message)")
        }
        let count = counted(rules.rules.count, "rule")
        if given[\.check] {
            Output.confirm("\(file) is valid: \(count).")
            return ""
        }
        try SecretServiceAccess(given[\.vault]).change(.secretRules, to: .text(text))
        let session = rules.rules.count { $0.frequency == .oncePerSession }
        Output.confirm("Saved \(count).")
        if session > 0 {
            Output.confirm(
                "After you authenticate once, every program of yours gets the items of \(counted(session, "rule")) until the "
                    + "vault is locked.")
        }
        return ""
    }
}

/// `latchkey secret-service explain`
enum SecretServiceExplainCommand {
    static let declaration = Declaration(
        name: "explain", summary: "say why a program was asked about a secret, or was not",
        text: """
            Shows the latest requests of programs, the latest last: the time, the program, the secret, the reason, and the rule
            that holds for it. With WORD, shows only those whose program or secret has it. The agent remembers 200 requests until it
            ends; `latchkey log` has all of them. Never prompts.
            """,
        operands: [Operand(name: "WORD", says: "a part of the name of a program or a secret", isOptional: true)],
        options: VaultReportOptions(),
        examples: [
            ("latchkey secret-service explain", ""), ("latchkey secret-service explain chromium", ""),
            ("latchkey secret-service explain --json", "prints one JSON object on each line"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal, .denied]), run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let report = try SecretServiceAccess(given[\.vault], mayAsk: false).report()
        let word = given.words.first
        let requests = report.requests.filter { request in
            word.map { request.program.contains($0) || request.name.contains($0) } ?? true
        }
        if given[\.json] { return requests.map { $0.head.text + "\n" }.joined() }
        if requests.isEmpty {
            Output.confirm("No request\(word.map { " of \($0)" } ?? "") since the agent was started.")
        }
        return requests.map { Self.lines($0) }.joined()
    }

    private static func lines(_ request: SecretRequest) -> String {
        let name = request.name.isEmpty ? "the vault" : request.name
        var lines = [
            "\(ShownTime.text(Int64(request.time) * 1000))  \(name)", "  by \(request.program)",
            "  \(request.outcome.words)",
        ]
        if let rule = request.rule {
            lines.append("  rule: \(rule)")
        } else if !request.name.isEmpty {
            lines.append("  no rule: each program is asked about each item")
        }
        if let detail = request.detail { lines.append("  (\(detail))") }
        return lines.map { Terminal.line($0, longest: 2048) + "\n" }.joined()
    }
}

extension SecretRequest.Outcome {
    /// The reason in words.
    var words: String {
        switch self {
        case .open: "given without a prompt: the policy of the secret requires no authentication"
        case .granted: "given without a prompt: you had authenticated for this program and this secret seconds before"
        case .session:
            "given without a prompt: you have authenticated for the rule since the last lock, and it says once per session for "
                + "every program of yours"
        case .asked: "you were asked, and authenticated"
        case .dismissed: "you were asked, and dismissed the prompt or failed; the program got nothing"
        case .denied: "nothing was given, and you could not be asked"
        case .stored: "the program stored it; that asks for nothing while the vault is unlocked"
        case .deleted: "the program deleted it: `latchkey undo` brings it back"
        }
    }
}
