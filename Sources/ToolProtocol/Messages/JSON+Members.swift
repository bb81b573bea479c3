internal import PlainText

extension JSON {
    static func number(_ number: Int) -> JSON { .number("\(number)") }

    static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

    /// The text; nil if the value is none.
    var asText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members; nil if the value is no object.
    var members: [String: JSON]? {
        if case .object(let members) = self { members } else { nil }
    }
}
