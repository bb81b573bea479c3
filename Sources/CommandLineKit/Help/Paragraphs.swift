/// Wraps text to the width of the help.
enum Paragraphs {
    /// The most characters of a line.
    static let width = 100

    /// Returns the lines of one paragraph. A line is longer than `width` only if it is a single word.
    static func wrapped(_ text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    enum Part: Equatable {
        /// A paragraph, which is wrapped.
        case flowing(String)
        /// Indented lines, which stay as they are.
        case fixed([String])
    }

    /// Splits a text into paragraphs and indented lines. An empty line ends either.
    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isFixed = line.hasPrefix(" ")
            defer { isOpen = !line.isEmpty }
            if line.isEmpty { continue }
            switch parts.last {
            case .flowing(let before) where isOpen && !isFixed: parts[parts.count - 1] = .flowing(before + " " + line)
            case .fixed(let before) where isOpen && isFixed: parts[parts.count - 1] = .fixed(before + [line])
            default: parts.append(isFixed ? .fixed([line]) : .flowing(line))
            }
        }
        return parts
    }

    /// Returns parts as wrapped lines, with an empty line between them.
    static func lines(of parts: [Part]) -> [String] {
        Array(
            parts.map { part in
                switch part {
                case .flowing(let words): wrapped(words)
                case .fixed(let lines): lines
                }
            }.joined(separator: [""]))
    }

    /// Returns rows of a term and its meaning, with all meanings aligned at `column`.
    static func table(_ rows: [(term: String, says: String)], column: Int) -> [String] {
        rows.flatMap { row in
            let lines = wrapped(row.says, width: width - column)
            let term = "  " + row.term
            guard let first = lines.first else { return [term] }
            let blank = String(repeating: " ", count: column)
            // A term that is too long for its column gets a line of its own.
            if term.count + 2 > column { return [term] + lines.map { blank + $0 } }
            return [term + blank.dropFirst(term.count) + first] + lines.dropFirst().map { blank + $0 }
        }
    }

    /// Returns the column at which the meanings of terms begin. Long terms do not count; they get lines of their own.
    static func column(of terms: [String]) -> Int {
        let widest = 30
        return (terms.map(\.count).filter { $0 + 4 <= widest }.max() ?? 0) + 4
    }
}
