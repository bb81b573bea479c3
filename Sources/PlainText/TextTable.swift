/// Rows of cells, printed in columns.
package struct TextTable {
    package enum Tone: String {
        case plain = ""
        case good = "\u{1B}[32m"
        case bad = "\u{1B}[31m"
        case heading = "\u{1B}[1m"
        case faint = "\u{1B}[2m"

        /// Returns `text` in this tone on a terminal with colors, and as it is elsewhere.
        package func text(_ text: String, colored: Bool) -> String {
            colored && self != .plain ? "\(rawValue)\(text)\u{1B}[0m" : text
        }
    }

    package struct Cell {
        package let text: String
        package let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }
    }

    package var rows: [[Cell]] = []

    package init() {}

    /// The table as text; a cell's tone shows only where color does.
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
            for (column, cell) in row.enumerated() {
                let shown = cell.tone.text(cell.text, colored: colored)
                line += shown
                if column + 1 < row.count {
                    line += String(repeating: " ", count: widths[column] - cell.text.count + 2)
                }
            }
            return line + "\n"
        }.joined()
    }
}
