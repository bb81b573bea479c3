/// The manual page of a command or of the whole program.
package struct ManualPage {
    private let path: [Declaration]

    /// Creates the page of the last command of `path`, which begins with the program.
    package init(_ path: [Declaration]) { self.path = path }

    /// Returns every page of a program, its own first.
    package static func all(of program: Declaration) -> [ManualPage] { below([program]) }

    private static func below(_ path: [Declaration]) -> [ManualPage] {
        [ManualPage(path)] + path[path.count - 1].commands.flatMap { below(path + [$0]) }
    }

    /// The name of the page, such as `latchkey-get`.
    package var name: String { Self.name(path) }

    private static func name(_ path: [Declaration]) -> String { path.map(\.name).joined(separator: "-") }

    private var command: Declaration { path[path.count - 1] }

    /// The page in roff.
    package var text: String {
        let title = Roff.escaped(name.uppercased())
        let program = path[0]
        let manual = program.name.prefix(1).uppercased() + program.name.dropFirst()
        var lines = [
            ".\\\" Written by \(program.name) man, from the declarations of its commands.",
            ".TH \"\(title)\" 1 \"\" \"\(Roff.escaped("\(program.name) \(program.version)"))\" \"\(Roff.escaped(manual))\"",
            ".nh", ".ad l",
            Roff.section("NAME"), "\(Roff.escaped(name)) \\- \(Roff.escaped(command.summary))",
            Roff.section("SYNOPSIS"),
        ]
        lines += Array(Usage.lines(of: command).map(synopsis).joined(separator: [".br"]))
        lines += description + options + commands + examples + statuses + environment + others
        return lines.joined(separator: "\n") + "\n"
    }

    private func synopsis(_ line: String) -> [String] {
        [Roff.bold(path.map(\.name).joined(separator: " ")) + " " + Roff.escaped(line)]
    }

    private var description: [String] {
        let text =
            command.text.isEmpty ? command.sentence : command.text
        return [Roff.section("DESCRIPTION")]
            + Paragraphs.parts(of: text).flatMap { part in
                switch part {
                case .flowing(let words): [".PP", Roff.escaped(words)]
                case .fixed(let lines): Roff.example(lines)
                }
            }
            + command.operands.filter { !$0.says.isEmpty }.flatMap { Roff.entry(Roff.italic($0.name), $0.says) }
    }

    private var options: [String] {
        var groups = command.options
        if groups.last?.heading.isEmpty != true { groups.append(OptionGroup(options: [])) }
        groups[groups.count - 1].options.append(command.help)
        return [Roff.section("OPTIONS")]
            + groups.flatMap { group in
                let heading = group.heading.isEmpty ? "options" : group.heading
                return (groups.count > 1 ? [Roff.subsection(heading)] : []) + group.options.flatMap(entry)
            }
    }

    private func entry(_ option: OptionFacts) -> [String] {
        Roff.entry(
            option.names.map(Roff.bold).joined(separator: ", ") + (option.value.map { " " + Roff.italic($0) } ?? ""),
            option.says)
    }

    private var commands: [String] {
        if command.commands.isEmpty { return [] }
        return [Roff.section("COMMANDS")]
            + Usage.groups(of: command.commands).flatMap { heading, members in
                (heading.isEmpty ? [] : [Roff.subsection(heading)])
                    + members.flatMap { Roff.entry(Self.reference(path + [$0]), $0.summary) }
            }
    }

    private var examples: [String] {
        if command.examples.isEmpty { return [] }
        return [Roff.section("EXAMPLES")]
            + command.examples.flatMap { line, says in
                (says.isEmpty ? [] : [".PP", Roff.escaped(says)]) + Roff.example([line])
            }
    }

    private var statuses: [String] {
        [Roff.section("EXIT STATUS")]
            + command.allStatuses.flatMap { Roff.entry(Roff.bold("\($0.status)"), $0.says) }
    }

    private var environment: [String] {
        if command.environment.isEmpty { return [] }
        return [Roff.section("ENVIRONMENT")]
            + command.environment.flatMap { Roff.entry(Roff.bold($0.name), $0.says) }
    }

    /// The section that names the pages of the commands above and below.
    private var others: [String] {
        let above = path.indices.dropFirst().map { Array(path[..<$0]) }
        let pages = above + command.commands.map { path + [$0] }
        if pages.isEmpty { return [] }
        return [Roff.section("SEE ALSO"), pages.map(Self.reference).joined(separator: ",\n")]
    }

    private static func reference(_ path: [Declaration]) -> String { Roff.bold(name(path)) + "(1)" }
}
