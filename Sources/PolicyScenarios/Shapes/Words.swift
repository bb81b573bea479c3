/// The word of `known` that `word` was meant to be, if one is near enough.
package func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let word = String(word.prefix(60))
    let best = known.map { (word: $0, distance: editDistance($0.lowercased(), word.lowercased())) }
        .min { $0.distance < $1.distance }
    guard let best, best.distance <= max(1, (word.count + 1) / 3) else { return nil }
    return best.word
}

/// A word from outside without anything that would steer the terminal it is shown on.
package func shown(_ word: String) -> String {
    let shown = word.unicodeScalars.prefix(60).map { $0.properties.isPrintable ? $0 : "?" }
    return String(String.UnicodeScalarView(shown)) + (word.unicodeScalars.count > 60 ? "…" : "")
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

/// How many letters have to be changed, added or taken out to make one word of the other.
private func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let changed = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
