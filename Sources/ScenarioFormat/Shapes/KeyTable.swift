internal import AccessPolicy

/// Writes the format as tables of keys for people, from the description that files are checked against.
package enum KeyTable {
    /// Returns the tables in Markdown: every mapping that a file can hold, then the lists of words.
    package static func text() -> String {
        var collector = Collector()
        collector.visit(Format.scenario)
        var text = collector.records.map(section).joined(separator: "\n")
        text +=
            "\n### Words\n\nInstead of any of these words, a file with a table can use a cell: `$NAME`, or a text with `${NAME}`.\n\n"
        text += rows(["kind", "words"], collector.words.map { [$0.kind, code($0.words)] })
        let flags = AccessControlFlags.named.map(\.name) + ["none"]
        text += "| flags | \(code(flags)); several in one text with spaces between them, or as a list |\n"
        return text
    }

    /// Collects the mappings and the lists of words, each once, in the order in which a reader meets them.
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
        let alone = record.standsAlone.map { ", or only `\($0)`" } ?? ""
        text += "Each \(noun) has one of these keys\(alone):\n\n"
        text += rows(
            ["key", "value", record.says, "may have"],
            record.actions.map { action in
                [
                    code([action.field.key]), action.field.shape.inMarkdown, action.field.summary,
                    code(action.modifiers.map(\.key)),
                ]
            })
        if !record.fields.isEmpty { text += "\nEvery \(noun) may also have these keys:\n\n" + rows(of: record.fields) }
        text += "\nThese keys fit only the \(noun)s that list them above:\n\n" + rows(of: modifiers(of: record))
        return text
    }

    /// Returns the modifiers of all actions. A key with two meanings is listed twice.
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
            ["key", "value", "meaning"],
            fields.map { field in
                let need = field.isRequired ? " (required)" : ""
                return [code([field.key]), field.shape.inMarkdown, field.summary + need]
            })
    }

    private static func rows(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// Returns true if words are few enough for a cell of the table. Others get a row in the list of words.
    fileprivate static func areFew(_ words: [String]) -> Bool { code(words).count <= 60 }

    fileprivate static func code(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
}

extension Shape {
    /// The shape in words, for a cell of a table.
    fileprivate var inMarkdown: String {
        switch self {
        case .nothing: "nothing"
        case .text: "a text"
        case .truth: KeyTable.code(["true", "false"])
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a length of time, such as `1h 30m`"
        case .word(let kind, let words): KeyTable.areFew(words) ? KeyTable.code(words) : "*\(kind)*"
        case .flags: "*flags*"
        case .list(.text): "one text, or a list"
        case .list(.anything): "a list"
        case .list(.named(.anything)): "a list of rows, each with a value by column"
        case .list(let element): "\(element.inMarkdown); one, or a list"
        case .named(.list(.anything)): "columns, each with a list"
        case .named(let value): "names, each with \(value.inMarkdown)"
        case .record(let record): record.name
        case .either(let shapes): shapes.map(\.inMarkdown).joined(separator: ", or ")
        case .step: "a step"
        case .anything: "anything"
        }
    }
}
