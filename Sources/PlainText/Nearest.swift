/// The word of `known` that `word` was meant to be, if one is near enough.
package func nearest(to word: String, among known: some Sequence<String>) -> String? {
    // Apple's constants say first what they are about.
    let about = "kSecAttrAccessible"
    let word = word.hasPrefix(about) ? word.dropFirst(about.count) : word[...]
    let letters = Array(word.unicodeScalars.prefix(60))
    let folded = folded(letters)
    let most = max(1, (letters.count + 1) / 3)
    var best: (word: String, distance: Int)?
    for candidate in known {
        // One that is longer is further away than that.
        let others = Array(candidate.unicodeScalars.prefix(letters.count + most + 1))
        if abs(others.count - letters.count) > most { continue }
        let distance = editDistance(Array(candidate.lowercased().unicodeScalars), folded)
        if distance <= most && distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

private func folded(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
    Array(String(String.UnicodeScalarView(letters)).lowercased().unicodeScalars)
}

/// How many letters have to be changed, added, taken out or exchanged with the next to make one word of the other.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var (before, last) = ([Int](), Array(0...right.count))
    for i in left.indices {
        var row = [i + 1]
        row.reserveCapacity(right.count + 1)
        for j in right.indices {
            let changed = last[j] + (left[i] == right[j] ? 0 : 1)
            var least = min(changed, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                least = min(least, before[j - 1] + 1)
            }
            row.append(least)
        }
        (before, last) = (last, row)
    }
    return last[right.count]
}
