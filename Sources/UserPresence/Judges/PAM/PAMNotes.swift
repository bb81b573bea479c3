/// What modules want the holder to know, cut to what anybody wants to read.
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
        let line = Self.cleaned(text)
        if !line.isEmpty { lines.append(line) }
    }

    /// `text` without what would steer a terminal or turn its writing round, and not too long.
    static func cleaned(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !steers(scalar) {
            if line.count == longest { break }
            line.append(scalar)
        }
        return String(line)
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
