internal import AccessPolicy

/// The format as a JSON Schema, for editors: from the same description that files are checked by.
package enum Schema {
    /// The schema of a document.
    package static func text() -> String {
        let definitions: [(String, Value)] = [
            ("step", Format.step.schema),
            // A cell of a table in the place of whatever belongs there, or inside of it.
            ("cell", .object([("type", .text("string")), ("pattern", .text("^\\$[^${]|\\$\\{"))])),
        ]
        guard case .object(let fields) = Format.scenario.withoutCell else { return "" }
        let head: [(String, Value)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("A Latchkey scenario")),
        ]
        return Value.object(head + fields + [("definitions", .object(definitions))]).text(indent: 0) + "\n"
    }

    /// A value of JSON, its keys in order.
    indirect enum Value {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([Value])
        case object([(String, Value)])

        func text(indent: Int) -> String {
            let inner = String(repeating: " ", count: indent + 2)
            let outer = String(repeating: " ", count: indent)
            switch self {
            case .text(let text): return Quoting.json(text)
            case .number(let number): return "\(number)"
            case .truth(let truth): return "\(truth)"
            case .list(let values):
                let flat = "[" + values.map { $0.text(indent: 0) }.joined(separator: ", ") + "]"
                if flat.count + indent <= 100 && !flat.contains("\n") { return flat }
                return "[\n" + values.map { inner + $0.text(indent: indent + 2) }.joined(separator: ",\n")
                    + "\n\(outer)]"
            case .object(let fields):
                if fields.isEmpty { return "{}" }
                let lines = fields.map { "\(inner)\(Quoting.json($0.0)): \($0.1.text(indent: indent + 2))" }
                return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
            }
        }
    }
}

extension Shape {
    /// What belongs there, or a cell of a table.
    fileprivate var schema: Schema.Value {
        switch self {
        case .anything, .step, .text: withoutCell  // these take a cell by themselves
        case .either(let shapes): .object([("anyOf", .list(shapes.map(\.withoutCell) + Self.cell))])
        case .list(let element):
            .object([("anyOf", .list([element.withoutCell, Self.array(of: element)] + Self.cell))])
        case .nothing, .truth, .number, .duration, .word, .flags, .named, .record:
            .object([("anyOf", .list([withoutCell] + Self.cell))])
        }
    }

    fileprivate var withoutCell: Schema.Value {
        switch self {
        case .anything: .object([])
        case .step: .object([("$ref", .text("#/definitions/step"))])
        case .nothing: .object([("type", .text("null"))])
        case .text: .object([("type", .list([.text("string"), .text("number"), .text("boolean")]))])
        case .truth: .object([("type", .text("boolean"))])
        case .number(let range):
            .object([
                ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ])
        case .duration:
            .object([("type", .text("string")), ("pattern", .text("^\\d+(ms|s|m|h|d)( +\\d+(ms|s|m|h|d))*$"))])
        case .word(_, let words):
            .object([
                ("enum", .list(words.map { $0 == "true" || $0 == "false" ? .truth($0 == "true") : .text($0) }))
            ])
        case .flags:
            .object([
                ("type", .text("string")),
                ("pattern", .text("^(\(Self.flagWords))( +(\(Self.flagWords)))*$")),
            ])
        case .list(let element): .object([("anyOf", .list([element.withoutCell, Self.array(of: element)]))])
        case .named(let value): .object([("type", .text("object")), ("additionalProperties", value.schema)])
        case .either(let shapes): .object([("anyOf", .list(shapes.map(\.withoutCell)))])
        case .record(let record): record.schema
        }
    }

    private static func array(of element: Shape) -> Schema.Value {
        .object([("type", .text("array")), ("items", element.schema)])
    }

    private static let flagWords = (AccessControlFlags.named.map(\.name) + ["none"]).joined(separator: "|")
    private static let cell = [Schema.Value.object([("$ref", .text("#/definitions/cell"))])]

}

extension Shape.Record {
    fileprivate var schema: Schema.Value {
        if actions.isEmpty { return Self.object(fields, required: fields.filter(\.isRequired).map(\.key)) }
        var kinds = actions.map { action in
            Self.object([action.field] + action.modifiers + fields, required: [action.field.key])
        }
        if let standsAlone { kinds.append(Self.object(fields, required: [standsAlone])) }
        return .object([("anyOf", .list(kinds))])
    }

    private static func object(_ fields: [Shape.Field], required: [String]) -> Schema.Value {
        var parts: [(String, Schema.Value)] = [
            ("type", .text("object")), ("additionalProperties", .truth(false)),
            (
                "properties",
                .object(
                    fields.map { field in
                        guard case .object(let inner) = field.shape.schema else {
                            return (field.key, field.shape.schema)
                        }
                        // What stands beside a reference is not read.
                        let isReference = inner.contains { $0.0 == "$ref" }
                        return (
                            field.key, .object(isReference ? inner : [("description", .text(field.summary))] + inner)
                        )
                    })
            ),
        ]
        if !required.isEmpty { parts.append(("required", .list(required.map { .text($0) }))) }
        return .object(parts)
    }
}
