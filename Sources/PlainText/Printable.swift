/// A text without anything that would steer the terminal it is shown on.
package func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isPrintable ? $0 : "?" }))
}

/// A word from outside, cut where it is long, without anything that would steer the terminal it is shown on.
package func shown(_ word: String) -> String {
    printable(String(String.UnicodeScalarView(word.unicodeScalars.prefix(60))))
        + (word.unicodeScalars.count > 60 ? "…" : "")
}

extension Unicode.Scalar {
    /// Whether it is shown, and steers no terminal: neither its colours nor the direction of what follows.
    package var isPrintable: Bool {
        if isASCII { return (0x20...0x7E).contains(value) }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
