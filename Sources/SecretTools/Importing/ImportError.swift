package import LinuxSystem
internal import PlainText
package import SodiumKit

/// An error that ends an import. It contains no part of a secret.
package enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line has a mistake; the first line is 1.
    case line(Int, Problem)
    /// The file is JSON, and no table.
    case json
    /// The file has no first line with the names of the columns.
    case noHeader
    /// No column has this meaning. A column with one of the known names would.
    case noColumn(String, known: [String])
    /// The caller names a column that the file does not have.
    case noSuchColumn(String)
    /// A folder or file cannot be read.
    case unreadable(String, SystemError)
    /// A program cannot be started.
    case notStarted(String, SystemError)
    case failed(String, ProgramOutput.End)
    /// A program printed more than this many bytes.
    case tooMuch(String, most: Int)
    /// A name for a secret is not valid.
    case name(SecretNameError)
    /// Guarded memory is not available.
    case memory(SodiumError)

    /// A mistake in a line.
    package enum Problem: Hashable, Sendable {
        /// A quotation that starts here has no closing mark.
        case openQuote
        /// Text follows a closing quotation mark.
        case afterQuote
        /// The line contains a zero byte.
        case zeroByte
        /// The line is not UTF-8.
        case noText
        /// The number of cells differs from that of the header.
        case cells(Int, header: Int)
        /// An entry that starts here has no end.
        case openEntry
        /// The secret of an entry that starts here may end at several places.
        case unclearEnd
    }

    /// The mistake, and how to correct it.
    package var description: String {
        switch self {
        case .line(let line, let problem): "line \(line): \(Self.text(problem))"
        case .json: "this is JSON, not CSV: export as CSV from the other program, and import that file"
        case .noHeader: "the file is empty: its first line must name the columns"
        case .noColumn(let wanted, let known):
            "the first line names no column for the \(wanted): name it with an option, or rename it to one of "
                + known.joined(separator: ", ")
        case .noSuchColumn(let name):
            "there is no column \"\(Terminal.line(name))\": use a name from the first line of the file"
        case .unreadable(let path, let error):
            "\(Terminal.line(path)) cannot be read (\(error)): name a folder that you can read"
        case .notStarted(let program, let error):
            "\(Terminal.line(program)) cannot be started (\(error)): install it, or put it on the PATH"
        case .failed(let program, let end):
            "\(Terminal.line(program)) \(end): see its message above, or run it yourself"
        case .tooMuch(let program, let most):
            "\(Terminal.line(program)) printed more than \(most) bytes, too many for a secret"
        case .name(let error): error.description
        case .memory(let error): error.description
        }
    }

    private static func text(_ problem: Problem) -> String {
        switch problem {
        case .openQuote: "a quotation that starts here has no closing mark: add it, and double marks inside"
        case .afterQuote: "text follows a closing quotation mark: double marks inside a cell"
        case .zeroByte: "the line has a zero byte: save the file as UTF-8"
        case .noText: "the line is not UTF-8: save the file as UTF-8"
        case .cells(let count, let header):
            "the line has \(count) cells, but the first line has \(header): quote cells that contain a separator"
        case .openEntry: "the entry that starts here does not end with \"created\" and \"modified\": search again"
        case .unclearEnd:
            "the secret of the entry that starts here contains lines that look like the end of an entry: save it by itself, "
                + "with `secret-tool lookup` and `latchkey set`"
        }
    }
}

/// Runs `body`, and turns its error into one about missing memory.
func importing<Result: ~Copyable>(_ body: @autoclosure () throws(SodiumError) -> Result) throws(ImportError) -> Result {
    do { return try body() } catch { throw .memory(error) }
}
