internal import PlainText

/// A value of the live protocol: it writes itself as JSON, and knows its shape.
package protocol LiveValue: Sendable {
    /// The shape of every such value.
    static var shape: LiveShape { get }
    /// The value as JSON on one line.
    var json: String { get }
}

/// The shape of a value, from which the JSON Schema is made.
package indirect enum LiveShape: Sendable {
    case text
    /// A whole number.
    case number
    case truth
    /// One of these words.
    case word([String])
    /// A value, or null.
    case maybe(LiveShape)
    case list(LiveShape)
    /// An object with any members.
    case members
    case object(any LiveObject.Type)
}

/// An object of the live protocol, with all of its fields in one list.
package protocol LiveObject: LiveValue {
    /// The name of its definition in the schema.
    static var name: String { get }
    /// The fields, in the order in which they are written. Every object has all of them.
    static var fields: [LiveField<Self>] { get }
}

/// A field of an object.
package struct LiveField<Owner: Sendable>: Sendable {
    package let name: String
    /// The meaning, in one line.
    package let says: String
    package let shape: LiveShape
    /// Writes the value of an object.
    package let json: @Sendable (Owner) -> String

    package init<Value: LiveValue>(_ name: String, _ says: String, _ value: @escaping @Sendable (Owner) -> Value) {
        self.name = name
        self.says = says
        shape = Value.shape
        json = { value($0).json }
    }

    init(_ name: String, _ says: String, _ shape: LiveShape, _ json: @escaping @Sendable (Owner) -> String) {
        self.name = name
        self.says = says
        self.shape = shape
        self.json = json
    }
}

extension LiveObject {
    package static var shape: LiveShape { .object(Self.self) }

    /// The object on one line.
    package var json: String {
        "{" + Self.fields.map { "\(JSON.quoted($0.name)):\($0.json(self))" }.joined(separator: ",") + "}"
    }

    /// The fields without their values.
    static var shapes: [(name: String, says: String, shape: LiveShape)] { fields.map { ($0.name, $0.says, $0.shape) } }
}

extension String: LiveValue {
    package static var shape: LiveShape { .text }
    package var json: String { JSON.quoted(self) }
}

extension Bool: LiveValue {
    package static var shape: LiveShape { .truth }
    package var json: String { self ? "true" : "false" }
}

extension Int: LiveValue {
    package static var shape: LiveShape { .number }
    package var json: String { "\(self)" }
}

extension Int64: LiveValue {
    package static var shape: LiveShape { .number }
    package var json: String { "\(self)" }
}

extension Optional: LiveValue where Wrapped: LiveValue {
    package static var shape: LiveShape { .maybe(Wrapped.shape) }
    package var json: String { map { $0.json } ?? "null" }
}

extension Array: LiveValue where Element: LiveValue {
    package static var shape: LiveShape { .list(Element.shape) }
    package var json: String { "[" + map { $0.json }.joined(separator: ",") + "]" }
}

extension LiveShape {
    /// The shape as a JSON Schema. An object is a reference to its definition.
    var schema: String {
        switch self {
        case .text: #"{"type": "string"}"#
        case .number: #"{"type": "integer"}"#
        case .truth: #"{"type": "boolean"}"#
        case .word(let words): #"{"enum": ["# + words.map(JSON.quoted).joined(separator: ", ") + "]}"
        case .maybe(let shape): #"{"anyOf": ["# + shape.schema + #", {"type": "null"}]}"#
        case .members: #"{"type": "object"}"#
        case .list(let shape): #"{"type": "array", "items": "# + shape.schema + "}"
        case .object(let type): ##"{"$ref": "#/definitions/"## + type.name + #""}"#
        }
    }

    /// The objects that values of this shape hold.
    fileprivate var objects: [any LiveObject.Type] {
        switch self {
        case .text, .number, .truth, .word, .members: []
        case .maybe(let shape), .list(let shape): shape.objects
        case .object(let type): [type]
        }
    }
}

/// The definitions of the objects that replies hold.
package enum LiveDefinitions: Sendable {
    /// Every object with its JSON Schema, each once, in the order of first use.
    package static let all: [(name: String, schema: String)] = {
        var found: [(name: String, schema: String)] = []
        func add(_ type: any LiveObject.Type) {
            if found.contains(where: { $0.name == type.name }) { return }
            let place = found.count
            found.append((type.name, ""))
            let shapes = type.shapes
            found[place].schema = schema(of: shapes)
            for field in shapes { for inner in field.shape.objects { add(inner) } }
        }
        for request in LiveRequest.allCases { for reply in request.replies { add(reply) } }
        return found
    }()

    private static func schema(of fields: [(name: String, says: String, shape: LiveShape)]) -> String {
        let properties = fields.map { field in
            let description = "\"description\": \(JSON.quoted(field.says))"
            // JSON Schema ignores everything beside a reference.
            let schema =
                if case .object = field.shape { "{\(description), \"allOf\": [\(field.shape.schema)]}" } else {
                    "{\(description), " + field.shape.schema.dropFirst()
                }
            return "\(JSON.quoted(field.name)): \(schema)"
        }
        let names = fields.map { JSON.quoted($0.name) }.joined(separator: ", ")
        return
            "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\(names)], \"properties\": {\(properties.joined(separator: ", "))}}"
    }
}
