internal import PlainText

/// The messages of modules for the user, cut to a readable length.
struct PAMNotes {
    /// How many lines are kept.
    static let most = 8
    /// How many characters of a line are kept.
    static let longest = 200

    /// The lines.
    private(set) var lines: [String] = []

    /// Takes one more message, unless there are too many or nothing is left of it.
    mutating func add(_ text: String) {
        guard lines.count < Self.most else { return }
        let line = Terminal.sentence(text, longest: Self.longest)
        if !line.isEmpty { lines.append(line) }
    }
}
