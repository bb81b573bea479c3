internal import PlainText

/// An argument that a tool does not take, in words for the model that gave it.
struct ArgumentFault: Error, Sendable {
    let words: String
}

/// The arguments of a call, which have the kinds and limits of its tool.
struct Arguments: Sendable {
    fileprivate(set) var texts: [String: String] = [:]
    fileprivate(set) var numbers: [String: Int] = [:]
}

extension ObjectShape {
    /// Reads arguments. A member that is null counts as absent, because some clients send each one.
    func read(_ values: [String: JSON]) throws(ArgumentFault) -> Arguments {
        for name in values.keys.sorted() where !members.contains(where: { $0.name == name }) {
            let known = members.isEmpty ? "none" : members.map { $0.name }.joined(separator: ", ")
            throw ArgumentFault(words: "This tool has no such argument. Its arguments are: \(known).")
        }
        var arguments = Arguments()
        for member in members {
            guard let value = values[member.name], value != .null else {
                if member.isOptional { continue }
                throw ArgumentFault(words: "The argument \(member.name) is missing.")
            }
            switch member.kind {
            case .text(let longest): arguments.texts[member.name] = try member.text(value, longest)
            case .number(let least, let most): arguments.numbers[member.name] = try member.number(value, least, most)
            case .word, .texts, .truth, .objects: break
            }
        }
        return arguments
    }
}

extension ObjectShape.Member {
    fileprivate func text(_ value: JSON, _ longest: Int?) throws(ArgumentFault) -> String {
        guard case .string(let text) = value else { throw ArgumentFault(words: "The argument \(name) is a text.") }
        guard !text.isEmpty else { throw ArgumentFault(words: "The argument \(name) is empty.") }
        if let longest, text.unicodeScalars.count > longest {
            throw ArgumentFault(words: "The argument \(name) has at most \(longest) characters.")
        }
        return text
    }

    fileprivate func number(_ value: JSON, _ least: Int, _ most: Int?) throws(ArgumentFault) -> Int {
        guard case .number(let digits) = value, let number = Int(digits), number >= least,
            number <= most ?? Int(Int32.max)
        else {
            let range = most.map { " to \($0)" } ?? " or more"
            throw ArgumentFault(words: "The argument \(name) is a whole number, \(least)\(range).")
        }
        return number
    }
}
