internal import AccessPolicy
internal import AgentProtocol
internal import PlainText

/// The lines of `latchkey log` and `latchkey watch`, in columns.
///
/// A log is shown while it is read, so a column is as wide as its widest cell so far.
struct LogLines {
    /// The widths of the time, the verdict, the request and the rule. The longest verdict is "challenged".
    private var widths = [14, 10, 16, 16]
    /// The width of a cell from which on it widens no other line.
    private static let widest = 40

    /// Returns the line about a record.
    mutating func line(_ record: LogRecord) -> String {
        let rule = record.rules.last ?? ""
        var rest = [record.caller.text]
        if rule == Rule.interactionNotAllowed.identifier {
            rest.append("no prompt was possible: see `latchkey doctor`")
        }
        if record.count > 1 { rest.append("\(record.count) times") }
        if record.last / 1000 != record.time / 1000 {
            rest.append("last \(ShownTime.short(record.last, after: record.time))")
        }
        let what = [record.action, record.name].compactMap { $0 }.joined(separator: " ")
        let end = rest.filter { !$0.isEmpty }.joined(separator: ", ")
        return line(at: record.time, [record.verdict, what, rule, end])
    }

    /// Returns a line: the time, in milliseconds since 1970, and these cells. The last cell is as long as it is.
    mutating func line(at time: Int64, _ cells: [String]) -> String {
        var cells = [ShownTime.short(time)] + cells.map { Terminal.line($0) }
        // No line ends in blanks before empty cells.
        while cells.last?.isEmpty == true { cells.removeLast() }
        var line = ""
        for (column, cell) in cells.enumerated() {
            line += cell
            if column == cells.count - 1 { break }
            if cell.count <= Self.widest { widths[column] = max(widths[column], cell.count) }
            line += String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
        }
        return line + "\n"
    }
}
