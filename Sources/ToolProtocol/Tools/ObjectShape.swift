internal import PlainText

/// The members of an object: the one list from which its schema follows, and by which arguments are read.
struct ObjectShape: Sendable {
    let members: [Member]

    init(_ members: [Member]) { self.members = members }

    struct Member: Sendable {
        let name: String
        let kind: Kind
        let words: String
        let isOptional: Bool

        init(_ name: String, _ kind: Kind, _ words: String, isOptional: Bool = false) {
            (self.name, self.kind, self.words, self.isOptional) = (name, kind, words, isOptional)
        }
    }

    /// The kinds of values.
    indirect enum Kind: Sendable {
        /// A text, without an end if it is one of a result.
        case text(longest: Int?)
        case word([String])
        case texts
        case number(least: Int, most: Int?)
        case truth
        case objects(ObjectShape)

        var schema: [String: JSON] {
            switch self {
            case .text(nil): ["type": .string("string")]
            case .text(let longest?):
                ["type": .string("string"), "minLength": .number(1), "maxLength": .number(longest)]
            case .word(let words): ["type": .string("string"), "enum": .texts(words)]
            case .texts: ["type": .string("array"), "items": .object(["type": .string("string")])]
            case .number(let least, nil): ["type": .string("integer"), "minimum": .number(least)]
            case .number(let least, let most?):
                ["type": .string("integer"), "minimum": .number(least), "maximum": .number(most)]
            case .truth: ["type": .string("boolean")]
            case .objects(let shape): ["type": .string("array"), "items": shape.schema]
            }
        }
    }

    /// The schema in JSON Schema, which allows no other members.
    var schema: JSON {
        var properties: [String: JSON] = [:]
        for member in members {
            var schema = member.kind.schema
            schema["description"] = .string(member.words)
            properties[member.name] = .object(schema)
        }
        return .object([
            "type": .string("object"), "properties": .object(properties), "additionalProperties": .bool(false),
            "required": .texts(members.filter { !$0.isOptional }.map { $0.name }),
        ])
    }
}
