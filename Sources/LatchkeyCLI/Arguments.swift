internal import PolicyScenarios

/// The command line was not understood.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// `word` is none of `known`; names the nearest of them when one is near.
    init(unknown kind: String, _ word: String, among known: [String]) {
        let hint: String
        if let nearest = nearest(to: word, among: known) {
            hint = "did you mean \(nearest)?"
        } else if known.isEmpty {
            hint = "there are none here"
        } else {
            hint = "there are \(known.joined(separator: ", "))"
        }
        description = "no \(kind) \"\(shown(word))\": \(hint)"
    }
}

/// The words of the command line, taken one after another.
struct Arguments {
    private var words: ArraySlice<String>
    /// The command that was taken, if it has a help of its own.
    private(set) var command: String?

    init(_ words: ArraySlice<String>) { self.words = words }

    /// The first word, which is a command or an option that stands alone.
    mutating func takeCommand(among commands: [String], options: [String]) throws(UsageError) -> String {
        guard let word = words.popFirst() else { throw UsageError("name a command") }
        if options.contains(word) { return word }
        if commands.contains(word) {
            if word != "help" { command = word }
            return word
        }
        if word.hasPrefix("-") { throw UsageError(unknown: "option", word, among: options) }
        throw UsageError(unknown: "command", word, among: commands)
    }

    /// The options that are left, each with a value or on its own; whatever else is left is not understood.
    mutating func options(
        withValue: [String], alone: [String]
    ) throws(UsageError) -> (values: [String: String], set: Set<String>) {
        let all = try options(withValue: withValue, alone: alone, takesWords: false)
        return (all.values, all.set)
    }

    /// The same, with words that are no options where the command takes such. After `--` everything is a word.
    mutating func options(
        withValue: [String], alone: [String], takesWords: Bool
    ) throws(UsageError) -> (values: [String: String], set: Set<String>, words: [String]) {
        var values: [String: String] = [:]
        var set: Set<String> = []
        var others: [String] = []
        while let word = words.popFirst() {
            if takesWords && word == "--" {
                others += words
                words = []
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if alone.contains(word) {
                set.insert(word)
            } else if withValue.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : words.popFirst() else {
                    throw UsageError("\(parts[0]) needs a value")
                }
                guard values.updateValue(value, forKey: parts[0]) == nil else {
                    throw UsageError("\(parts[0]) is given twice")
                }
            } else if word.hasPrefix("-") && (word != "-" || !takesWords) {
                throw UsageError(unknown: "option", parts[0], among: withValue + alone)
            } else if takesWords {
                others.append(word)
            } else {
                throw UsageError("\"\(shown(word))\" is one word too many")
            }
        }
        return (values, set, others)
    }

    /// Nothing may be left.
    mutating func end() throws(UsageError) { _ = try options(withValue: [], alone: []) }
}
