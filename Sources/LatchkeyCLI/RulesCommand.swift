internal import AccessPolicy

/// `latchkey rules`
enum RulesCommand {
    private static let formats = ["table", "json", "markdown"]

    private static let help = """
        usage: latchkey rules [--format table|json|markdown]

        Lists every rule by which an access control is refused and a request granted, challenged or denied: its stable
        name, what it does, how well it is known of Apple's system, the section of docs/apple-semantics.md that it comes
        from, what it says, and what would turn a denial by it. "model" marks a choice of ours.

        """

    static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        let (values, set) = try arguments.options(withValue: ["--format"], alone: ["--help", "-h"])
        if !set.isEmpty { return help }
        let format = values["--format"] ?? "table"
        switch format {
        case "table": return table()
        case "json": return json()
        case "markdown": return markdown()
        default: throw UsageError(unknown: "format", format, among: formats)
        }
    }

    private static func source(of facts: RuleFacts) -> String {
        facts.section.map { "\(facts.grounds.rawValue) \($0)" } ?? facts.grounds.rawValue
    }

    private static func table() -> String {
        var table = TextTable()
        table.rows.append(["rule", "does", "known from", "says"].map { .init($0, .heading) })
        for facts in Rule.allCases.map(\.facts) {
            let tone: TextTable.Tone =
                switch facts.effect {
                case .allows: .good
                case .denies, .refuses: .bad
                case .asks, .discounts: .plain
                }
            table.rows.append([
                .init(facts.identifier), .init(facts.effect.rawValue, tone), .init(source(of: facts), .faint),
                .init(facts.summary),
            ])
        }
        return table.text(coloured: Output.isColoured)
    }

    private static func markdown() -> String {
        var text = "| rule | does | known from | says | what would turn it |\n| --- | --- | --- | --- | --- |\n"
        for facts in Rule.allCases.map(\.facts) {
            let remedy = facts.remedy == .nothing ? "" : facts.remedy.rawValue
            text +=
                "| `\(facts.identifier)` | \(facts.effect.rawValue) | \(source(of: facts)) | \(facts.summary) | \(remedy) |\n"
        }
        return text
    }

    private static func json() -> String {
        let objects = Rule.allCases.map(\.facts).map { facts in
            let section = facts.section.map(quoted) ?? "null"
            let remedy = facts.remedy == .nothing ? "null" : quoted(facts.remedy.rawValue)
            return """
                  {"rule": \(quoted(facts.identifier)), "effect": \(quoted(facts.effect.rawValue)), \
                "grounds": \(quoted(facts.grounds.rawValue)), "section": \(section), \
                "summary": \(quoted(facts.summary)), "remedy": \(remedy)}
                """
        }
        return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            default: quoted.unicodeScalars.append(character)  // the catalogue is ours, and has no control characters
            }
        }
        return quoted + "\""
    }
}
