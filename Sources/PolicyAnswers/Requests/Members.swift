internal import PlainText

/// An error that says which word of a request is wrong, and what to write instead.
package struct QuestionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The members of a request. Each is read by its name, and a member that nothing reads is a mistake.
struct Members {
    private let all: [String: JSON]
    private var known: [String] = []

    /// Creates the members of `request`. Throws if it is not an object.
    init(_ request: JSON) throws(QuestionError) {
        guard case .object(let members) = request else {
            throw QuestionError(
                "a request is an object, such as {\"never\": \"read\", \"against\": \"passcode-thief\"}")
        }
        all = members
    }

    /// Returns the member with this name; nil if it is absent or null.
    mutating func value(_ name: String) -> JSON? {
        known.append(name)
        guard let value = all[name], value != .null else { return nil }
        return value
    }

    /// Returns true if the member is there, also if it is null.
    func has(_ name: String) -> Bool { all[name] != nil }

    /// The name of the only member; nil if there are more or none.
    var only: String? { all.count == 1 ? all.first?.key : nil }

    /// Returns the member as text. A number or a truth value counts as its spelling, as it does in an option.
    mutating func text(_ name: String) throws(QuestionError) -> String? {
        switch value(name) {
        case nil: return nil
        case .string(let text): return text
        case .number(let digits): return digits
        case .bool(let flag): return flag ? "true" : "false"
        case .array, .object, .null: throw QuestionError("\"\(name)\" takes one word")
        }
    }

    /// Returns the meaning of the member, one of the `words`; nil if it is absent.
    mutating func word<Value>(
        _ name: String, _ kind: String, among words: [(String, Value)]
    ) throws(QuestionError) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = words.first(where: { $0.0 == text })?.1 else {
            throw QuestionError(unknownWord(kind, text, among: words.map { $0.0 }))
        }
        return value
    }

    /// Returns the member as a truth value; nil if it is absent.
    mutating func truth(_ name: String) throws(QuestionError) -> Bool? {
        try word(name, "value of \(name)", among: [("true", true), ("false", false)])
    }

    /// Returns the words of a list, or of a text that separates them by spaces or commas; nil if it is absent.
    mutating func words(_ name: String) throws(QuestionError) -> [String]? {
        switch value(name) {
        case nil: return nil
        case .string(let text):
            return text.split { $0 == " " || $0 == "," }.map { String($0) }
        case .array(let values):
            var words: [String] = []
            for value in values {
                guard case .string(let word) = value else { throw QuestionError("\"\(name)\" takes a list of words") }
                words.append(word)
            }
            return words
        case .bool, .number, .object, .null: throw QuestionError("\"\(name)\" takes words, or a list of them")
        }
    }

    /// Returns the texts of a list, or the only text; nil if the member is absent. Texts may contain spaces.
    mutating func list(_ name: String) throws(QuestionError) -> [String]? {
        if case .array? = all[name] { return try words(name) }
        return try text(name).map { [$0] }
    }

    /// Throws if the request has a member that has not been read.
    func finish() throws(QuestionError) {
        let unknown = all.keys.filter { !known.contains($0) }.sorted()
        if let name = unknown.first { throw QuestionError(unknownWord("member", name, among: known)) }
    }
}
