internal import PlainText

extension TextTable {
    /// Returns the table with borders, a line below the first row, and no line wider than `width`; nil if it has no room.
    func bordered(colored: Bool, within width: Int) -> String? {
        let columns = rows.map { $0.count }.max() ?? 0
        var widths = Array(repeating: 0, count: columns)
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.text.count) }
        }
        // Each column has a space on both sides, and a border on its left; the last one has one on its right as well.
        guard columns > 0, widths.reduce(1, { $0 + $1 + 3 }) <= width else { return nil }
        func line(_ left: String, _ middle: String, _ right: String) -> String {
            let line = left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right
            return Tone.faint.text(line, colored: colored) + "\n"
        }
        let border = Tone.faint.text("│", colored: colored)
        let lines = rows.map { row in
            let cells = widths.indices.map { column in
                let cell = column < row.count ? row[column] : Cell("")
                let space = String(repeating: " ", count: widths[column] - cell.text.count)
                return " " + cell.tone.text(cell.text, colored: colored) + space + " "
            }
            return border + cells.joined(separator: border) + border + "\n"
        }
        return line("┌", "┬", "┐") + lines[0] + line("├", "┼", "┤") + lines.dropFirst().joined() + line("└", "┴", "┘")
    }
}

/// A frame on the left of several lines that belong together.
enum LeftFrame {
    /// Returns these lines with a frame on their left, in the first column of their indentation.
    static func around(_ lines: [Substring], colored: Bool) -> String {
        lines.enumerated().map { number, line in
            let corner = lines.count == 1 ? "╶" : number == 0 ? "┌" : number == lines.count - 1 ? "└" : "│"
            return TextTable.Tone.faint.text(corner, colored: colored) + line.dropFirst() + "\n"
        }.joined()
    }
}
