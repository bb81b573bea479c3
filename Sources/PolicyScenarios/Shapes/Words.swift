/// The word of `known` that `word` was meant to be, if one is near enough.
package func nearest(to word: String, among known: some Sequence<String>) -> String? {
    let word = String(word.prefix(60))
    let best = known.map { (word: $0, distance: editDistance($0.lowercased(), word.lowercased())) }
        .min { $0.distance < $1.distance }
    guard let best, best.distance <= max(1, (word.count + 1) / 3) else { return nil }
    return best.word
}

/// A text without anything that would steer the terminal it is shown on.
package func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isPrintable ? $0 : "?" }))
}

/// A word from outside, cut where it is long, without anything that would steer the terminal it is shown on.
package func shown(_ word: String) -> String {
    printable(String(String.UnicodeScalarView(word.unicodeScalars.prefix(60))))
        + (word.unicodeScalars.count > 60 ? "…" : "")
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

/// How many letters have to be changed, added, taken out or exchanged with the next to make one word of the other.
private func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            let changed = rows[i][j] + (left[i] == right[j] ? 0 : 1)
            var least = min(changed, rows[i][j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                least = min(least, rows[i - 1][j - 1] + 1)
            }
            row.append(least)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
