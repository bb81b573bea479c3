package import LinuxSystem
internal import PlainText
package import SodiumKit

/// Why an import came to nothing. No secret is in it.
package enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something is wrong at a line, counted from 1.
    case line(Int, Problem)
    /// The file has no line with names of columns.
    case noHeader
    /// No column is known to hold this; one with one of these names would.
    case noColumn(String, known: [String])
    /// The caller has named a column that is not there.
    case noSuchColumn(String)
    /// A folder or file cannot be read.
    case unreadable(String, SystemError)
    /// A program cannot be started.
    case notStarted(String, SystemError)
    /// A program ended like this.
    case failed(String, ProgramOutput.End)
    /// A program said more than this many bytes.
    case tooMuch(String, most: Int)
    /// A name that was made is none.
    case name(SecretNameError)
    /// Guarded memory is not to be had.
    case memory(SodiumError)

    /// What is wrong at a line.
    package enum Problem: Hashable, Sendable {
        /// A quotation that starts here has no end.
        case openQuote
        /// Something follows a closing quotation mark.
        case afterQuote
        /// There is a zero byte.
        case zeroByte
        /// It is no UTF-8.
        case noText
        /// There are so many cells, and the header has so many.
        case cells(Int, header: Int)
        /// An entry starts here that has no end.
        case openEntry
        /// An entry starts here whose secret may end at several places.
        case unclearEnd
    }

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .line(let line, let problem): "line \(line): \(Self.text(problem))"
        case .noHeader: "the file is empty: its first line has to name the columns"
        case .noColumn(let wanted, let known):
            "no column of the first line holds the \(wanted): say which one does, or call it "
                + known.joined(separator: ", ")
        case .noSuchColumn(let name):
            "no column is called “\(Terminal.line(name))”: name one as the first line of the file does"
        case .unreadable(let path, let error):
            "\(Terminal.line(path)) cannot be read (\(error)): name a folder of yours"
        case .notStarted(let program, let error):
            "\(Terminal.line(program)) cannot be started (\(error)): install it, or put it on the PATH"
        case .failed(let program, let end): "\(Terminal.line(program)) \(end): see what it said, or run it by itself"
        case .tooMuch(let program, let most):
            "\(Terminal.line(program)) said more than \(most) bytes: this is no secret"
        case .name(let error): error.description
        case .memory(let error): error.description
        }
    }

    private static func text(_ problem: Problem) -> String {
        switch problem {
        case .openQuote: "a quotation that starts here has no end: add the mark, and double those inside"
        case .afterQuote: "something follows a closing quotation mark: double the marks inside a cell"
        case .zeroByte: "there is a zero byte: save the file as UTF-8"
        case .noText: "this is no UTF-8: save the file as UTF-8"
        case .cells(let count, let header):
            "there are \(count) cells where the first line has \(header): quote cells that hold a separator"
        case .openEntry: "an entry starts here and does not end with “created” and “modified”: search again"
        case .unclearEnd:
            "the secret of the entry that starts here has lines like those around entries, so that its end is unclear: import it "
                + "by itself (secret-tool lookup)"
        }
    }
}

/// Runs `body`, and says of its failures that memory was missing.
func importing<Result: ~Copyable>(_ body: () throws(SodiumError) -> Result) throws(ImportError) -> Result {
    do { return try body() } catch { throw .memory(error) }
}
