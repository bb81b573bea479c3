internal import PlainText

/// A mistake in a command line, with what to type instead.
package struct UsageError: Error, CustomStringConvertible {
    /// The message: the mistake, and the way out if there is one.
    package let description: String

    /// Creates an error with this message.
    package init(_ description: String) { self.description = description }

    /// Creates the error for a `word` that is none of the `known` ones, such as `unknown command "gte": did you mean get?`.
    ///
    /// The message names up to three known words that are near. If none is, it names all of a few, or the three nearest of many.
    package init(unknown kind: String, _ word: String, among known: [String]) {
        let near = nearest(3, to: word, among: known)
        let hint: String
        if !near.isEmpty {
            hint = "did you mean \(enumerated(near))?"
        } else if known.isEmpty {
            hint = "there are none here"
        } else if known.count <= Self.few {
            hint = "use \(enumerated(known))"
        } else {
            hint = "the nearest are \(enumerated(nearest(3, to: word, among: known, mayBeFar: true), "and"))"
        }
        description = "unknown \(kind) \"\(Terminal.word(word))\": \(hint)"
    }

    /// Returns the message, followed by the command to type for the help of the command `called`.
    package func message(for called: String) -> String {
        "\(description)\(description.hasSuffix("?") ? " See" : "; see") \(called) --help"
    }

    /// The number of words that a message lists in full. A reader takes in a dozen at a glance.
    private static let few = 12
}
