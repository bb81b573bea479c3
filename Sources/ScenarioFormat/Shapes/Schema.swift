internal import AccessPolicy
internal import PlainText

/// The format as a JSON Schema, for editors: from the same description that files are checked by.
package enum Schema {
    /// The schema of a document.
    package static func text() -> String {
        guard case .record(let scenario) = Format.scenario else { return "" }
        var writer = SchemaWriter()
        guard case .object(let fields) = writer.mapping(scenario.fields) else { return "" }
        let head: [(String, Value)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("A Latchkey scenario")),
        ]
        let tail: [(String, Value)] = [
            // A file of declarations has neither.
            (
                "dependencies",
                .object([
                    ("name", .object([("anyOf", .list([requiring("steps"), requiring("claims")]))])),
                    ("steps", .list([.text("name")])), ("claims", .list([.text("name")])),
                ])
            ),
            ("definitions", .object(writer.definitions)),
        ]
        return Value.object(head + fields + tail).text(indent: 0) + "\n"
    }

    private static func requiring(_ key: String) -> Value { .object([("required", .list([.text(key)]))]) }

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

/// Writes shapes as schemas. What is used in many places is defined once.
private struct SchemaWriter {
    typealias Value = Schema.Value

    private(set) var definitions: [(String, Value)] = [
        // A cell of a table in the place of whatever belongs there, or inside of it.
        ("cell", .object([("type", .text("string")), ("pattern", .text("^\\$[^${]|\\$\\{"))]))
    ]
    /// The keys of steps that were defined, with what they say.
    private var fields: [(key: String, summary: String, name: String)] = []

    private static let cell = reference("cell")

    private static func reference(_ name: String) -> Value { .object([("$ref", .text("#/definitions/\(name)"))]) }

    private mutating func defining(_ name: String, _ make: (inout Self) -> Value) -> Value {
        let name = String(name.map { $0 == " " ? "-" : $0 })
        if !definitions.contains(where: { $0.0 == name }) {
            let place = definitions.count
            definitions.append((name, .object([])))  // what it is made of may hold itself
            definitions[place].1 = make(&self)
        }
        return Self.reference(name)
    }

    // MARK: - Shapes

    /// What belongs there, or a cell of a table.
    private mutating func value(_ shape: Shape) -> Value {
        switch shape {
        case .anything, .step, .text: return .object(withoutCell(shape).fields)  // these take a cell by themselves
        default: return .object([("anyOf", .list(choices(shape) + [Self.cell]))])
        }
    }

    /// What a shape can be, one by one.
    private mutating func choices(_ shape: Shape) -> [Value] {
        switch shape {
        case .either(let shapes): return shapes.flatMap { choices($0) }
        case .list(let element):
            let one = choices(element)
            let inside = value(element)
            return one + [.object([("type", .text("array")), ("items", inside)])]
        case .word(_, let words):
            let others = Vocabulary.otherSpellings.filter { words.contains($0.value) && !words.contains($0.key) }
            return [withoutCell(shape)] + others.keys.sorted().map { .object([("const", .text($0))]) }
        default: return [withoutCell(shape)]
        }
    }

    private mutating func withoutCell(_ shape: Shape) -> Value {
        switch shape {
        case .anything: return .object([])
        case .step: return defining("step") { writer in writer.value(Format.step) }
        case .nothing: return .object([("type", .text("null"))])
        case .text: return .object([("type", .list([.text("string"), .text("number"), .text("boolean")]))])
        case .truth: return .object([("type", .text("boolean"))])
        case .number(let range):
            return .object([
                ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ])
        case .duration:
            return .object([
                ("type", .text("string")), ("pattern", .text("^\\d+(ms|s|m|h|d)( +\\d+(ms|s|m|h|d))*$")),
            ])
        case .word(let kind, let words):
            let list = Value.list(words.map { $0 == "true" || $0 == "false" ? .truth($0 == "true") : .text($0) })
            let value = Value.object([("enum", list)])
            return words.count > 6 ? defining("word \(kind)") { _ in value } : value
        case .flags:
            let words = (AccessControlFlags.named.map(\.name) + ["none"]).joined(separator: "|")
            return .object([("type", .text("string")), ("pattern", .text("^(\(words))( +(\(words)))*$"))])
        case .named(let inner):
            return .object([("type", .text("object")), ("additionalProperties", value(inner))])
        case .record(let record): return defining(record.name) { writer in writer.record(record) }
        case .list, .either: return .object([("anyOf", .list(choices(shape)))])
        }
    }

    // MARK: - Mappings

    private mutating func record(_ record: Shape.Record) -> Value {
        if record.actions.isEmpty { return mapping(record.fields) }
        var kinds: [Value] = []
        for action in record.actions {
            let properties = ([action.field] + action.modifiers + record.fields).map { ($0.key, defined($0)) }
            kinds.append(Self.mapping(properties, required: [action.field.key]))
        }
        if let alone = record.standsAlone {
            kinds.append(Self.mapping(record.fields.map { ($0.key, defined($0)) }, required: [alone]))
        }
        return .object([("anyOf", .list(kinds))])
    }

    /// A mapping with these keys.
    mutating func mapping(_ fields: [Shape.Field]) -> Value {
        var properties: [(String, Value)] = []
        for field in fields { properties.append((field.key, described(field))) }
        return Self.mapping(properties, required: fields.filter(\.isRequired).map(\.key))
    }

    private static func mapping(_ properties: [(String, Value)], required: [String]) -> Value {
        var parts: [(String, Value)] = [
            ("type", .text("object")), ("additionalProperties", .truth(false)), ("properties", .object(properties)),
        ]
        if !required.isEmpty { parts.append(("required", .list(required.map { .text($0) }))) }
        return .object(parts)
    }

    /// What belongs under a key, with what it says. Beside a reference nothing is read, so that one stands in a list.
    private mutating func described(_ field: Shape.Field) -> Value {
        var inner = value(field.shape).fields
        if inner.contains(where: { $0.0 == "$ref" }) { inner = [("allOf", .list([.object(inner)]))] }
        return .object([("description", .text(field.summary))] + inner)
    }

    /// The same, defined once for all the steps that have the key.
    private mutating func defined(_ field: Shape.Field) -> Value {
        if let known = fields.first(where: { $0.key == field.key && $0.summary == field.summary }) {
            return Self.reference(known.name)
        }
        let others = fields.count { $0.key == field.key }
        let name = "key-\(field.key)" + (others == 0 ? "" : "-\(others + 1)")
        fields.append((field.key, field.summary, name))
        return defining(name) { writer in writer.described(field) }
    }
}

extension Schema.Value {
    fileprivate var fields: [(String, Schema.Value)] { if case .object(let fields) = self { fields } else { [] } }
}
