/// The help of a command: usage, a description, examples, and then the reference of everything that it takes.
package struct HelpText {
    private let command: Declaration
    /// The words to type for the command, such as `latchkey get`.
    private let called: String
    private let program: String

    /// Creates the help of the last command of `path`, which begins with the program.
    package init(_ path: [Declaration]) {
        command = path[path.count - 1]
        program = path[0].name
        called = path.map(\.name).joined(separator: " ")
    }

    /// The help as it is printed.
    package var text: String {
        // Most readers look for a line to copy, so examples come before everything that has to be read.
        let description = Paragraphs.parts(of: command.text.isEmpty ? command.sentence : command.text)
        // A first paragraph that ends with a colon belongs to the lines below it.
        let lead = if case .flowing(let words) = description.first, words.hasSuffix(":") { 2 } else { 1 }
        var blocks = [usage, Paragraphs.lines(of: Array(description.prefix(lead))), examples]
        blocks += [Paragraphs.lines(of: Array(description.dropFirst(lead))), operands]
        blocks += options + commands
        blocks += [statuses]
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

    /// The column in which every explanation begins.
    private var column: Int {
        Paragraphs.column(
            of: command.operands.filter { !$0.says.isEmpty }.map(\.name)
                + command.options.flatMap(\.options).map(\.term) + command.commands.map(\.name)
                + (command.commands.isEmpty ? [] : [command.help.term]))
    }

    private var options: [[String]] {
        // Readers of this help know --help already. Where there are commands below, they may not know that it works after those.
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
        // The explanation has lines of its own, so that a reader can copy the whole line of the example.
        return ["examples:"]
            + command.examples.flatMap { line, says in
                ["  " + line] + Paragraphs.wrapped(says, width: Paragraphs.width - 6).map { "      " + $0 }
            }
    }

    /// The way to the exit statuses. The list is too long to repeat in every help.
    private var statuses: [String] { ["Exit statuses: \(program) help exit-status"] }
}

extension Declaration {
    var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}

extension OptionFacts {
    /// All spellings, with the placeholder of the value.
    var term: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }
}
