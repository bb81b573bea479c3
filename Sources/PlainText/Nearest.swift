/// Returns the word of `known` that `word` is most likely a misspelling of; nil if none is near enough.
package func nearest(to word: String, among known: some Sequence<String>) -> String? {
    nearest(1, to: word, among: known).first
}

/// Returns up to `count` words of `known` that `word` may be a misspelling of, the nearest first.
///
/// Two words are near if at most a third of the letters differ.
package func nearest(_ count: Int, to word: String, among known: some Sequence<String>) -> [String] {
    // Apple's constants share this prefix, which would make any two of them look near.
    let prefix = "kSecAttrAccessible"
    let word = word.hasPrefix(prefix) ? word.dropFirst(prefix.count) : word[...]
    let letters = Array(word.unicodeScalars.prefix(longestWord))
    let folded = foldedCase(letters)
    let most = max(1, (letters.count + 1) / 3)
    var found: [(word: String, distance: Int)] = []
    for candidate in known {
        // The difference in length is a lower bound of the distance, and cheap to find.
        let others = Array(candidate.unicodeScalars.prefix(letters.count + most + 1))
        if abs(others.count - letters.count) > most { continue }
        let distance = editDistance(foldedCase(Array(candidate.unicodeScalars)), folded)
        if distance > most { continue }
        // Of words at the same distance, the first that is known stays first.
        let place = found.firstIndex { $0.distance > distance } ?? found.count
        if place < count { found.insert((candidate, distance), at: place) }
        if found.count > count { found.removeLast() }
    }
    return found.map { $0.word }
}

/// Returns the message about a `word` that is none of the `known` ones, such as `unknown command "gte": did you mean get?`.
///
/// The message names up to three known words that are near. If none is, it names all of a few, and none of many.
package func unknownWord(_ kind: String, _ word: String, among known: [String]) -> String {
    let near = likely(word, among: known)
    let hint: String
    if !near.isEmpty {
        hint = ": did you mean \(enumerated(near))?"
    } else if known.isEmpty {
        hint = ": there are none here"
    } else if known.count <= few {
        hint = ": use \(enumerated(known))"
    } else {
        hint = ""
    }
    return "unknown \(kind) \"\(Terminal.word(word))\"\(hint)"
}

/// Returns up to three words that `word` may be the beginning or a misspelling of.
private func likely(_ word: String, among known: [String]) -> [String] {
    let letters = Array(word.unicodeScalars)
    let begun = letters.drop { $0 == "-" }.count < 2 ? [] : known.filter { $0.hasPrefix(word) }
    // Only the end is missing.
    if let whole = begun.first(where: { ($0.unicodeScalars.count - letters.count) * 4 <= letters.count }) {
        return [whole]
    }
    let near = nearest(3, to: word, among: known).filter { !begun.contains($0) }
    if begun.isEmpty && near.isEmpty && letters.count >= shortestBeginning {
        // The beginning of a longer word, with a slip in it.
        return Array(
            known.filter { editDistance(Array($0.unicodeScalars.prefix(letters.count)), letters) <= 1 }.prefix(3))
    }
    return Array((begun + near).prefix(3))
}

/// The least number of letters of a misspelled beginning: a shorter one could begin too many words.
private let shortestBeginning = 4

/// The number of words that a message lists in full. A reader takes in a dozen at a glance.
private let few = 12

/// The number of letters that are compared.
private let longestWord = 60

/// Returns words as an enumeration in a sentence, such as `a, b or c`.
package func enumerated(_ words: [String], _ conjunction: String = "or") -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// Returns the letters of a word in small letters of ASCII. Another capital letter stays, and is one edit away from its small one:
/// Swift's tables of letters would add a third to the engine of the web page.
private func foldedCase(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
    letters.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0 }
}

/// Returns the number of edits that turn one word into the other. Each edit changes, adds or removes a letter, or swaps two neighbors.
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
