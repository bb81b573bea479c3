internal import PlainText

/// A command line that is not understood.
package struct UsageError: Error, CustomStringConvertible {
    /// The mistake, and the way out if there is one.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Says that `word` is none of the `known` ones, and names the nearest of them if one is near.
    package init(unknown kind: String, _ word: String, among known: [String]) {
        let hint: String
        if let nearest = nearest(to: word, among: known) {
            hint = "did you mean \(nearest)?"
        } else if known.isEmpty {
            hint = "there are none here"
        } else {
            hint = "there are \(known.joined(separator: ", "))"
        }
        description = "no \(kind) \"\(Terminal.word(word))\": \(hint)"
    }
}
