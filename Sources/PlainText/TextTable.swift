/// Rows of cells, printed in columns.
package struct TextTable {
    /// The look of a cell, as the escape sequence that begins it.
    package enum Tone: String {
        /// The terminal's own color.
        case plain = ""
        /// Green.
        case good = "\u{1B}[32m"
        /// Red.
        case bad = "\u{1B}[31m"
        /// Bold.
        case heading = "\u{1B}[1m"
        /// Dim.
        case faint = "\u{1B}[2m"

        /// Returns `text` in this tone if `colored` is true, and unchanged otherwise.
        package func text(_ text: String, colored: Bool) -> String {
            colored && self != .plain ? "\(rawValue)\(text)\u{1B}[0m" : text
        }
    }

    /// A text with its look.
    package struct Cell {
        /// The text, on one line.
        package let text: String
        /// The look, which only a colored table shows.
        package let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }
    }

    /// The length at which a column cuts a name that a program may have chosen: one long name makes every line as wide.
    package static let longestName = 60

    /// The rows, which may differ in length.
    package var rows: [[Cell]] = []

    package init() {}

    /// Returns the table as lines, each column as wide as its widest cell. Tones are left out unless `colored` is true.
    package func text(colored: Bool) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.count)
            }
        }
        return rows.map { row in
            var line = ""
            // No line ends in blanks before empty cells.
            let count = (row.lastIndex { !$0.text.isEmpty } ?? -1) + 1
            for (column, cell) in row.prefix(count).enumerated() {
                let shown = cell.tone.text(cell.text, colored: colored)
                line += shown
                if column + 1 < count {
                    line += String(repeating: " ", count: widths[column] - cell.text.count + 2)
                }
            }
            return line + "\n"
        }.joined()
    }
}
