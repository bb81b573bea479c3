internal import PlainText

/// A place in a file. Lines and columns count from one, as in editors.
package struct Position: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path of the file, as the user or another file names it.
    package let file: String
    package let line: Int
    /// The column, in characters.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package var description: String { "\(file):\(line):\(column)" }

    /// `file:line`, safe to print on a terminal.
    package var shownLine: String { Terminal.line("\(file):\(line)") }

    /// Orders places by file, line and column.
    package static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A mistake in a file.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the mistake.
    package let position: Position
    /// The mistake, and the way out if there is one.
    package let message: String

    package init(position: Position, message: String) {
        self.position = position
        self.message = message
    }

    /// The mistake as `file:line:column: message`.
    package var description: String { "\(position): \(message)" }
}

/// The mistakes that a reader found so far, each once.
package struct ScenarioErrors: Sendable {
    /// The most mistakes that are reported.
    static let limit = 200

    /// The most mistakes that are compared with the known ones. A table can repeat the same mistake in every row.
    private static let mostReports = 2000

    /// The mistakes, in the order in which they were found.
    package private(set) var all: [ScenarioError] = []
    private var known: Set<ScenarioError> = []
    private var reports = 0

    package init() {}

    /// Adds a mistake unless it is known already. Tables repeat a mistake in every row.
    mutating func add(_ position: Position, _ message: @autoclosure () -> String) {
        if isFull { return }
        reports += 1
        let mistake = ScenarioError(position: position, message: message())
        if known.insert(mistake).inserted { all.append(mistake) }
    }

    /// True if there are so many mistakes that no more are added.
    var isFull: Bool { all.count >= Self.limit || reports >= Self.mostReports }
}
