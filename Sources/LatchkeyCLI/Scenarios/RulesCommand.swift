internal import AccessPolicy
internal import CommandLineKit
internal import PlainText

/// `latchkey rules`
enum RulesCommand {
    enum Format: String, CaseIterable {
        case table, json, markdown
    }

    struct Options: OptionList {
        let format = Option<Format?>("--format", value: "FORMAT", says: "table (the default), json or markdown")
    }

    static let declaration = Declaration(
        name: "rules", summary: "list the rules that grant and deny requests",
        text: """
            Lists every rule: its stable name, its effect, the OSStatus and LAError that an app gets, its source, and its
            meaning. JSON and markdown add what would change a denial.

            A source is a section of docs/apple-semantics.md with the kind of evidence: TEST (Apple's tests), CODE (Apple's
            source), HDR (a public header), DOC (Apple's documentation), FIELD (reports of developers) or INF (inferred). A
            choice of Latchkey is marked "model".
            """,
        options: Options(), examples: [("latchkey rules", ""), ("latchkey rules --format json", "")],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) -> String {
        switch given[\.format] ?? .table {
        case .table: table()
        case .json: json()
        case .markdown: markdown()
        }
    }

    /// Returns the OSStatus and the LAError of a denial, with the default choices on disputed points.
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
