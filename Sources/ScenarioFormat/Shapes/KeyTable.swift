internal import AccessPolicy

/// The format as tables of its keys, for people: from the same description that files are checked by.
package enum KeyTable {
    /// Every mapping that a file can hold, with its keys, and the words that belong to them; in Markdown.
    package static func text() -> String {
        var collector = Collector()
        collector.visit(Format.scenario)
        var text = collector.records.map(section).joined(separator: "\n")
        text += "\n### Words\n\nWhat is written `$NAME` or holds `${NAME}` may stand for any of them.\n\n"
        text += rows(["words", "which"], collector.words.map { [$0.kind, code($0.words)] })
        let flags = AccessControlFlags.named.map(\.name) + ["none"]
        text += "| flags | \(code(flags)); several with blanks between them, or as a list |\n"
        return text
    }

    /// The mappings and the lists of words in the order in which a reader meets them, each once.
    private struct Collector {
        var records: [Shape.Record] = []
        var words: [(kind: String, words: [String])] = []

        mutating func visit(_ shape: Shape) {
            switch shape {
            case .record(let record):
                if records.contains(where: { $0.name == record.name }) { return }
                records.append(record)
                for field in record.fields { visit(field.shape) }
                for action in record.actions {
                    visit(action.field.shape)
                    for modifier in action.modifiers { visit(modifier.shape) }
                }
            case .word(let kind, let words):
                if !KeyTable.areFew(words) && !self.words.contains(where: { $0.words == words }) {
                    self.words.append((kind, words))
                }
            case .list(let inner), .named(let inner): visit(inner)
            case .either(let shapes): for shape in shapes { visit(shape) }
            case .step: visit(Format.step)
            case .nothing, .text, .truth, .number, .duration, .flags, .anything: break
            }
        }
    }

    private static func section(of record: Shape.Record) -> String {
        var text = "### \(record.name.prefix(1).uppercased())\(record.name.dropFirst())\n\n"
        if record.actions.isEmpty { return text + rows(of: record.fields) }
        let noun = record.name.split(separator: " ").last ?? ""
        text += "\(record.says.prefix(1).uppercased())\(record.says.dropFirst()) is one of these keys:\n\n"
        text += rows(
            ["key", "takes", record.says, "goes along"],
            record.actions.map { action in
                [
                    code([action.field.key]), action.field.shape.inMarkdown, action.field.summary,
                    code(action.modifiers.map(\.key)),
                ]
            })
        text += "\nThese go along with every \(noun):\n\n" + rows(of: record.fields)
        text += "\nAnd these with the \(noun)s that name them above:\n\n" + rows(of: modifiers(of: record))
        return text
    }

    /// The modifiers of all actions. What says something else of another step stands there once more.
    private static func modifiers(of record: Shape.Record) -> [Shape.Field] {
        var fields: [Shape.Field] = []
        for modifier in record.actions.flatMap(\.modifiers)
        where !fields.contains(where: { $0.key == modifier.key && $0.summary == modifier.summary }) {
            fields.append(modifier)
        }
        return fields
    }

    private static func rows(of fields: [Shape.Field]) -> String {
        rows(
            ["key", "takes", "what it says"],
            fields.map { field in
                let need = field.isRequired ? " (has to be there)" : ""
                return [code([field.key]), field.shape.inMarkdown, field.summary + need]
            })
    }

    private static func rows(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// Returns true if words stand where they belong; more stand in a list of their own.
    fileprivate static func areFew(_ words: [String]) -> Bool { code(words).count <= 60 }

    fileprivate static func code(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
}

extension Shape {
    /// What belongs there, in a cell of a table.
    fileprivate var inMarkdown: String {
        switch self {
        case .nothing: "nothing"
        case .text: "a text"
        case .truth: KeyTable.code(["true", "false"])
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a length of time, such as `1h 30m`"
        case .word(let kind, let words): KeyTable.areFew(words) ? KeyTable.code(words) : "*\(kind)*"
        case .flags: "*flags*"
        case .list(.text): "one text, or several"
        case .list(.anything): "a list"
        case .list(.named(.anything)): "rows of names with values"
        case .list(let element): "\(element.inMarkdown); one, or several"
        case .named(.list(.anything)): "names with lists"
        case .named(let value): "names, each with \(value.inMarkdown)"
        case .record(let record): record.name
        case .either(let shapes): shapes.map(\.inMarkdown).joined(separator: ", or ")
        case .step: "a step"
        case .anything: "anything"
        }
    }
}
