/// The command line was not understood.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// `word` is none of `known`; names the nearest of them when one is near.
    init(unknown kind: String, _ word: String, among known: [String]) {
        let nearest = known.map { (word: $0, distance: editDistance($0, String(word.prefix(60)))) }.min {
            $0.distance < $1.distance
        }
        let hint: String
        if let nearest, nearest.distance <= max(1, (word.count + 1) / 3) {
            hint = "did you mean \(nearest.word)?"
        } else if known.isEmpty {
            hint = "there are none here"
        } else {
            hint = "there are \(known.joined(separator: ", "))"
        }
        description = "no \(kind) \"\(printable(word))\": \(hint)"
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
        var values: [String: String] = [:]
        var set: Set<String> = []
        while let word = words.popFirst() {
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
            } else if word.hasPrefix("-") {
                throw UsageError(unknown: "option", parts[0], among: withValue + alone)
            } else {
                throw UsageError("\"\(printable(word))\" is one word too many")
            }
        }
        return (values, set)
    }

    /// Nothing may be left.
    mutating func end() throws(UsageError) { _ = try options(withValue: [], alone: []) }
}

/// A word from the command line without anything that would steer the terminal it is shown on.
private func printable(_ word: String) -> String {
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
