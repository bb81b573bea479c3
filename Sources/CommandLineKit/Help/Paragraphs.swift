/// Text in lines that are not too long.
enum Paragraphs {
    /// The width of a line.
    static let width = 100

    /// Returns the lines of one paragraph, each no longer than `width` if its words allow that.
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

    /// A part of a text.
    enum Part: Equatable {
        /// Words that are put into lines anew.
        case flowing(String)
        /// Lines that stay as they are.
        case fixed([String])
    }

    /// Returns the parts of a text. Lines that are indented stay as they are, and an empty line ends a paragraph.
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

    /// Returns the text with every paragraph in lines, and an empty one between paragraphs.
    static func lines(of text: String) -> [String] {
        Array(
            parts(of: text).map { part in
                switch part {
                case .flowing(let words): wrapped(words)
                case .fixed(let lines): lines
                }
            }.joined(separator: [""]))
    }

    /// Returns rows of a term and its meaning. The meanings stand below one another, from `column` on.
    static func table(_ rows: [(term: String, says: String)], column: Int) -> [String] {
        rows.flatMap { row in
            let lines = wrapped(row.says, width: width - column)
            let term = "  " + row.term
            guard let first = lines.first else { return [term] }
            let blank = String(repeating: " ", count: column)
            // A term that is too long for its column has a line of its own.
            if term.count + 2 > column { return [term] + lines.map { blank + $0 } }
            return [term + blank.dropFirst(term.count) + first] + lines.dropFirst().map { blank + $0 }
        }
    }

    /// Returns the column in which the meanings of terms begin.
    static func column(of terms: [String]) -> Int {
        let widest = 30
        return (terms.map(\.count).filter { $0 + 4 <= widest }.max() ?? 0) + 4
    }
}
