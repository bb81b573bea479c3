internal import AccessPolicy
internal import ApplePlatform
internal import CommandLineKit
internal import LatchkeyCLI
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

            The rules whose names begin with "file." are about files and their protection classes. Such a denial is no
            OSStatus: the system call fails with EPERM.

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

    /// A rule in the list, with the OSStatus and the LAError of a denial under the default choices on disputed points.
    private struct Entry {
        let facts: RuleFacts
        let status: String?
        let laError: String?

        init(_ rule: AnyRule) {
            facts = rule.facts
            let answer: AppleStatus? =
                switch rule {
                case .item(let rule): AppleStatus(rule, Fidelity())
                case .file, .sync: nil  // The first deny system calls, with `EPERM`; no call waits for the others.
                }
            status = answer.map { "\($0.status.rawValue)" }
            laError = answer?.laError.map { "\($0.rawValue)" }
        }
    }

    private static let entries = AnyRule.all.map { Entry($0) }

    private static func table() -> String {
        var table = TextTable()
        table.rows.append(["rule", "does", "OSStatus", "LAError", "source", "meaning"].map { .init($0, .heading) })
        for entry in entries {
            let tone: TextTable.Tone =
                switch entry.facts.effect {
                case .allows: .good
                case .denies, .refuses: .bad
                case .asks, .discounts: .plain
                }
            table.rows.append([
                .init(entry.facts.identifier), .init(entry.facts.effect.rawValue, tone), .init(entry.status ?? ""),
                .init(entry.laError ?? ""), .init(entry.facts.source, .faint), .init(entry.facts.summary),
            ])
        }
        return table.text(colored: Output.isColored)
    }

    private static func markdown() -> String {
        let columns = ["rule", "does", "OSStatus", "LAError", "source", "meaning", "remedy"]
        let rows = entries.map { entry in
            [
                "`\(entry.facts.identifier)`", entry.facts.effect.rawValue, entry.status ?? "", entry.laError ?? "",
                entry.facts.source, entry.facts.summary,
                entry.facts.remedy == .nothing ? "" : entry.facts.remedy.text,
            ]
        }
        return ([columns, columns.map { _ in "---" }] + rows).map(Quoting.markdownRow).joined()
    }

    private static func json() -> String {
        let objects = entries.map { entry in
            let facts = entry.facts
            let fields = [
                ("rule", Quoting.json(facts.identifier)), ("effect", Quoting.json(facts.effect.rawValue)),
                ("osStatus", entry.status ?? "null"), ("laError", entry.laError ?? "null"),
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
