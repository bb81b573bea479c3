internal import AccessPolicy
internal import CommandLineKit
internal import PlainText

/// `latchkey rules`
enum RulesCommand {
    enum Format: String, CaseIterable {
        case table, json, markdown
    }

    struct Options: OptionList {
        let format = Option<Format?>("--format", value: "FORMAT", says: "table (the usual), json or markdown")
    }

    static let declaration = Declaration(
        name: "rules", summary: "list the rules by which requests are granted and denied",
        text: """
            Lists every rule by which an access control is refused and a request granted, challenged or denied: its stable
            name, what it does, the OSStatus of a keychain call and the LAError of an evaluation that it becomes, where it is
            known from, and what it says. JSON and markdown add what would turn a denial by it.

            "Known from" is a section of docs/apple-semantics.md with the strength of the evidence: TEST Apple's own tests,
            CODE Apple's source, HDR a public header, DOC Apple's documentation, FIELD seen by developers, INF inferred. A
            choice of ours is marked "model".
            """,
        options: Options(),
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) -> String {
        switch given[\.format] ?? .table {
        case .table: table()
        case .json: json()
        case .markdown: markdown()
        }
    }

    /// The OSStatus and the LAError that a denial becomes, where the device settles disputed points as it does by default.
    private static func numbers(of rule: Rule) -> (status: String?, laError: String?) {
        let answer = AppleStatus(rule, Fidelity())
        return (answer.map { "\($0.status.rawValue)" }, answer?.laError.map { "\($0.rawValue)" })
    }

    private static func table() -> String {
        var table = TextTable()
        table.rows.append(["rule", "does", "OSStatus", "LAError", "source", "meaning"].map { .init($0, .heading) })
        for rule in Rule.allCases {
            let facts = rule.facts
            let numbers = numbers(of: rule)
            let tone: TextTable.Tone =
                switch facts.effect {
                case .allows: .good
                case .denies, .refuses: .bad
                case .asks, .discounts: .plain
                }
            table.rows.append([
                .init(facts.identifier), .init(facts.effect.rawValue, tone), .init(numbers.status ?? ""),
                .init(numbers.laError ?? ""), .init(facts.source, .faint), .init(facts.summary),
            ])
        }
        return table.text(colored: Output.isColored)
    }

    private static func markdown() -> String {
        let columns = ["rule", "does", "OSStatus", "LAError", "source", "meaning", "remedy"]
        let rows = Rule.allCases.map { rule in
            let facts = rule.facts
            let numbers = numbers(of: rule)
            return [
                "`\(facts.identifier)`", facts.effect.rawValue, numbers.status ?? "", numbers.laError ?? "",
                facts.source, facts.summary, facts.remedy == .nothing ? "" : facts.remedy.text,
            ]
        }
        return ([columns, columns.map { _ in "---" }] + rows).map(Quoting.markdownRow).joined()
    }

    private static func json() -> String {
        let objects = Rule.allCases.map { rule in
            let facts = rule.facts
            let numbers = numbers(of: rule)
            let fields = [
                ("rule", Quoting.json(facts.identifier)), ("effect", Quoting.json(facts.effect.rawValue)),
                ("osStatus", numbers.status ?? "null"), ("laError", numbers.laError ?? "null"),
                ("grounds", Quoting.json(facts.grounds.rawValue)),
                ("section", facts.section.map(Quoting.json) ?? "null"),
                ("summary", Quoting.json(facts.summary)),
                ("remedy", facts.remedy == .nothing ? "null" : Quoting.json(facts.remedy.rawValue)),
            ]
            return "  {" + fields.map { "\(Quoting.json($0)): \($1)" }.joined(separator: ", ") + "}"
        }
        return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }
}
