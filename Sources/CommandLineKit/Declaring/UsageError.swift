internal import PlainText

/// A mistake in a command line, with what to type instead.
package struct UsageError: Error, CustomStringConvertible {
    /// The message: the mistake, and the way out if there is one.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Creates the error for a `word` that is none of the `known` ones, such as `unknown command "gte": did you mean get?`.
    package init(unknown kind: String, _ word: String, among known: [String]) {
        description = unknownWord(kind, word, among: known)
    }

    /// Creates the error for a `word` that other programs have for what is called `name` here.
    init(unknown kind: String, _ word: String, meaning name: String) {
        description = "unknown \(kind) \"\(Terminal.word(word))\": did you mean \(name)?"
    }

    /// Returns the message, followed by the command to type for the help of the command `called`.
    package func message(for called: String) -> String {
        "\(description)\(description.hasSuffix("?") ? " See" : "; see") \(called) --help"
    }
}
