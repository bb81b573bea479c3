internal import PlainText

/// The command line was not understood.
package struct UsageError: Error, CustomStringConvertible {
    /// What is wrong, and the way out where there is one.
    package let description: String

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
        description = "no \(kind) \"\(Terminal.word(word))\": \(hint)"
    }
}
