/// Finds names of which the user has typed some letters in their order, such as `ghtok` for `work/github/token`.
package enum FuzzyMatch: Sendable {
    /// Returns at most `count` of `names` that have the letters of `text` in their order, the best first. Upper and lower
    /// case are alike. An empty text matches nothing.
    package static func best(_ count: Int, for text: String, among names: some Sequence<String>) -> [String] {
        let letters = Array(text.lowercased().unicodeScalars)
        if letters.isEmpty { return [] }
        let found = names.compactMap { name in score(of: name, for: letters).map { (name: name, score: $0) } }
        return found.enumerated().sorted {
            ($0.element.score, $0.offset) < ($1.element.score, $1.offset)
        }.prefix(count).map(\.element.name)
    }

    /// Returns a number that is lower for better matches; nil if the name does not match.
    ///
    /// The letters count as a run at its place if they follow each other; a run at the beginning of a part of the name is
    /// best. Otherwise the letters that the match skips count.
    private static func score(of name: String, for letters: [Unicode.Scalar]) -> Int? {
        let folded = Array(name.lowercased().unicodeScalars)
        if let run = folded.firstRange(of: letters) {
            let isWhole = run.upperBound == folded.count || folded[run.upperBound] == "/"
            let begins = run.lowerBound == 0 || folded[run.lowerBound - 1] == "/"
            return (begins ? 0 : 2) + (isWhole ? 0 : 1)
        }
        var skipped = 0
        var rest = letters[...]
        for letter in folded {
            if letter == rest.first {
                rest.removeFirst()
                if rest.isEmpty { return 10 + skipped }
            } else if rest.count < letters.count {
                skipped += 1
            }
        }
        return nil
    }
}
