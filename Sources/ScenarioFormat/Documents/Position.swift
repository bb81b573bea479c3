internal import PlainText

/// A place in a file, as editors count: from one.
package struct Position: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path of the file, as it was named.
    package let file: String
    /// The line.
    package let line: Int
    /// The column, in characters.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    package var description: String { "\(file):\(line):\(column)" }

    /// `file:line`, without anything that would steer the terminal it is shown on.
    package var shownLine: String { Terminal.line("\(file):\(line)") }

    package static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A mistake in a file.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    package let position: Position
    /// What is wrong, and the way out.
    package let message: String

    package init(position: Position, message: String) {
        self.position = position
        self.message = message
    }

    /// `file:line:column: message`.
    package var description: String { "\(position): \(message)" }
}

/// The mistakes that were found so far, each once.
package struct ScenarioErrors: Sendable {
    /// More than anybody reads.
    static let limit = 200

    /// The same mistake over and over, as of a table's rows, is looked at no more often than this.
    private static let mostTellings = 2000

    /// The mistakes, in the order in which they were found.
    package private(set) var all: [ScenarioError] = []
    private var known: Set<ScenarioError> = []
    private var tellings = 0

    /// None yet.
    package init() {}

    /// Adds one. Tables say the same of every row: it is told once.
    mutating func add(_ position: Position, _ message: @autoclosure () -> String) {
        if isFull { return }
        tellings += 1
        let mistake = ScenarioError(position: position, message: message())
        if known.insert(mistake).inserted { all.append(mistake) }
    }

    /// True if nothing more is reported.
    var isFull: Bool { all.count >= Self.limit || tellings >= Self.mostTellings }
}
