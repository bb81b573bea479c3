/// The help of a command.
package struct HelpText {
    private let command: Declaration
    /// The words that are typed to come to it, such as `latchkey get`.
    private let called: String

    /// Creates the help of the last command of `path`; the first is the program.
    package init(_ path: [Declaration]) {
        command = path[path.count - 1]
        called = path.map(\.name).joined(separator: " ")
    }

    /// All of it.
    package var text: String {
        var blocks = [usage, Paragraphs.lines(of: command.text), operands]
        blocks += options + commands
        blocks += [examples, statuses]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var usage: [String] {
        var lines: [String] = []
        for line in Usage.lines(of: command) {
            let lead = (lines.isEmpty ? "usage: " : "       ") + called
            let indent = lead.count + 1
            let wrapped = Usage.wrapped(line, width: Paragraphs.width - indent)
            lines.append(wrapped.isEmpty ? lead : "\(lead) \(wrapped[0])")
            lines += wrapped.dropFirst().map { String(repeating: " ", count: indent) + $0 }
        }
        return lines
    }

    private var operands: [String] {
        let rows = command.operands.filter { !$0.says.isEmpty }.map { (term: $0.name, says: $0.says) }
        return Paragraphs.table(rows, column: column)
    }

    /// All begin what they say in one column.
    private var column: Int {
        Paragraphs.column(
            of: command.operands.filter { !$0.says.isEmpty }.map(\.name)
                + command.options.flatMap(\.options).map(\.term) + command.commands.map(\.name)
                + (command.commands.isEmpty ? [] : [command.help.term]))
    }

    private var options: [[String]] {
        // A reader of the help of a command knows how to ask for it; a reader of a command with others below it may not know that
        // --help goes after those as well.
        let others = command.commands.isEmpty ? [] : [command.help]
        var groups = command.options
        if !others.isEmpty {
            if groups.isEmpty { groups = [OptionGroup(options: [])] }
            groups[0].options = others + groups[0].options
        }
        return groups.map { group in
            [(group.heading.isEmpty ? "options" : group.heading) + ":"]
                + Paragraphs.table(group.options.map { ($0.term, $0.says) }, column: column)
        }
    }

    private var commands: [[String]] {
        Usage.groups(of: command.commands).map { heading, members in
            [(heading.isEmpty ? "commands" : heading) + ":"]
                + Paragraphs.table(members.map { ($0.name, $0.summary) }, column: column)
        }
    }

    private var examples: [String] {
        if command.examples.isEmpty { return [] }
        return ["examples:"]
            + command.examples.flatMap { line, says in
                ["  " + line] + Paragraphs.wrapped(says, width: Paragraphs.width - 6).map { "      " + $0 }
            }
    }

    private var statuses: [String] {
        Paragraphs.wrapped(
            "Exit status: " + command.allStatuses.map { "\($0.status) \($0.says)" }.joined(separator: ", ") + ".")
    }
}

extension OptionFacts {
    /// Its spellings, with its value.
    var term: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }
}
