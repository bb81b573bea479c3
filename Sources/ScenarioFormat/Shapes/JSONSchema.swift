internal import AccessPolicy
internal import PlainText

/// Writes the format as a JSON Schema for editors, from the description that files are checked against.
package enum JSONSchema {
    /// Returns the schema of a document.
    package static func text() -> String {
        guard case .record(let scenario) = Format.scenario else { return "" }
        var writer = SchemaWriter()
        guard case .object(let fields) = writer.mapping(scenario.fields) else { return "" }
        let head: [(String, Value)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text("A Latchkey scenario")),
        ]
        let tail: [(String, Value)] = [
            // A document that only declares something has no name and no steps or claims.
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

    /// Returns the schema of the live protocol: any body of a request, and any reply. Its definitions are those of scenarios and
    /// the given ones, each as JSON.
    package static func live(
        title: String, replies: [(name: String, schema: String)], bodies: (device: String, steps: String),
        others: [(name: String, schema: String)] = []
    ) -> String {
        guard case .record(let scenario) = Format.scenario else { return "" }
        var writer = SchemaWriter()
        let device = writer.mapping(scenario.fields.filter { !notInLiveDevices.contains($0.key) })
        let step = writer.value(.step)
        let steps = Value.object([
            ("anyOf", .list([step, .object([("type", .text("array")), ("items", step)])]))
        ])
        let definitions =
            writer.definitions + [(bodies.device, device), (bodies.steps, steps)]
            + (others + replies).map { ($0.name, .json($0.schema)) }
        let names = [bodies.device, bodies.steps] + (others + replies).map { $0.name }
        return Value.object([
            ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text(title)),
            ("anyOf", .list(names.map { .object([("$ref", .text("#/definitions/\($0)"))]) })),
            ("definitions", .object(definitions)),
        ]).text(indent: 0) + "\n"
    }

    /// The keys of a scenario that a request for a new device does not have.
    static let notInLiveDevices = ["include", "for each", "steps", "claims", "attackers", "prompt budget"]

    private static func requiring(_ key: String) -> Value { .object([("required", .list([.text(key)]))]) }

    /// A JSON value whose keys keep their order.
    indirect enum Value {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([Value])
        case object([(String, Value)])
        /// A value that is JSON already.
        case json(String)

        func text(indent: Int) -> String {
            let inner = String(repeating: " ", count: indent + 2)
            let outer = String(repeating: " ", count: indent)
            switch self {
            case .text(let text): return Quoting.json(text)
            case .number(let number): return "\(number)"
            case .truth(let truth): return "\(truth)"
            case .json(let text): return text
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

/// Writes shapes as schemas, with a definition for each that is used in many places.
private struct SchemaWriter {
    typealias Value = JSONSchema.Value

    private(set) var definitions: [(String, Value)] = [
        // A cell of a table can replace any value, or be part of a text.
        ("cell", .object([("type", .text("string")), ("pattern", .text("^\\$[^${]|\\$\\{"))]))
    ]
    /// The keys that have a definition, with their meanings.
    private var fields: [(key: String, summary: String, name: String)] = []

    private static let cell = reference("cell")

    private static func reference(_ name: String) -> Value { .object([("$ref", .text("#/definitions/\(name)"))]) }

    private mutating func defining(_ name: String, _ make: (inout Self) -> Value) -> Value {
        let name = String(name.map { $0 == " " ? "-" : $0 })
        if !definitions.contains(where: { $0.0 == name }) {
            let place = definitions.count
            definitions.append((name, .object([])))  // Reserve the name first: a definition may refer to itself.
            definitions[place].1 = make(&self)
        }
        return Self.reference(name)
    }

    // MARK: - Shapes

    /// Returns the schema of a shape, which also accepts a cell of a table.
    mutating func value(_ shape: Shape) -> Value {
        switch shape {
        case .anything, .step, .text: return .object(withoutCell(shape).fields)  // These accept a cell by themselves.
        default: return .object([("anyOf", .list(choices(shape) + [Self.cell]))])
        }
    }

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
            let needed = action.modifiers.filter(\.isRequired).map(\.key)
            kinds.append(Self.mapping(properties, required: [action.field.key] + needed))
        }
        if let alone = record.standsAlone {
            kinds.append(Self.mapping(record.fields.map { ($0.key, defined($0)) }, required: [alone]))
        }
        return .object([("anyOf", .list(kinds))])
    }

    /// Returns the schema of a mapping with these keys.
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

    /// Returns the schema of a key's value with its meaning. JSON Schema ignores everything beside a `$ref`, so a reference is
    /// wrapped in a list.
    private mutating func described(_ field: Shape.Field) -> Value {
        var inner = value(field.shape).fields
        if inner.contains(where: { $0.0 == "$ref" }) { inner = [("allOf", .list([.object(inner)]))] }
        return .object([("description", .text(field.summary))] + inner)
    }

    /// Returns a reference to the schema of a key, which is defined once for all actions that have the key.
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

extension JSONSchema.Value {
    fileprivate var fields: [(String, JSONSchema.Value)] { if case .object(let fields) = self { fields } else { [] } }
}
