/// The usage lines of a command.
enum Usage {
    /// Returns the lines, without the name of the command.
    static func lines(of command: Declaration) -> [String] {
        if !command.usages.isEmpty { return command.usages }
        if !command.commands.isEmpty && command.operands.isEmpty { return ["COMMAND [OPTION…]"] }
        let options = command.options.flatMap(\.options)
        // Three options are taken in at a glance; more would hide the operands.
        let told =
            options.count <= 3 ? options.map { "[\($0.term(in: " "))]" + ($0.isRepeated ? "…" : "") } : ["[OPTION…]"]
        let operands = command.operands.map(word)
        let isCommandLine = command.operands.contains { $0.isCommandLine }
        return [(isCommandLine ? told + operands : operands + told).joined(separator: " ")]
    }

    private static func word(_ operand: Operand) -> String {
        let name = operand.name + (operand.isRepeated || operand.isCommandLine ? "…" : "")
        let word = operand.isCommandLine ? "[--] \(name)" : name
        return operand.isOptional ? "[\(operand.isCommandLine ? name : word)]" : word
    }

    /// Wraps a usage line. Words inside the same brackets stay on one line.
    static func wrapped(_ line: String, width: Int) -> [String] {
        let space: Character = "\u{A0}"
        var depth = 0
        let held = line.map { character -> Character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return character == " " && depth > 0 ? space : character
        }
        return Paragraphs.wrapped(String(held), width: width).map { String($0.map { $0 == space ? " " : $0 }) }
    }

    /// Returns commands by their headings, in the order in which the headings first occur.
    static func groups(of commands: [Declaration]) -> [(heading: String, members: [Declaration])] {
        var groups: [(heading: String, members: [Declaration])] = []
        for command in commands {
            if let place = groups.firstIndex(where: { $0.heading == command.group }) {
                groups[place].members.append(command)
            } else {
                groups.append((command.group, [command]))
            }
        }
        return groups
    }
}

extension OptionFacts {
    /// Returns the long form, with the placeholder of the value after `separator`.
    func term(in separator: String) -> String { names[0] + (value.map { separator + $0 } ?? "") }
}
