internal import PlainText

/// The messages of modules for the user, cut to a readable length.
struct PAMNotes {
    /// The number of lines that are kept.
    static let most = 8
    /// The number of characters that are kept of a line.
    static let longest = 200

    private(set) var lines: [String] = []

    /// Adds a message, unless there are too many or nothing of it can be shown.
    mutating func add(_ text: String) {
        guard lines.count < Self.most else { return }
        let line = Terminal.sentence(text, longest: Self.longest)
        if !line.isEmpty { lines.append(line) }
    }
}
