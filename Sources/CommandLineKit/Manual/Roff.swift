/// Writes roff, the language of manual pages.
enum Roff {
    /// Returns `text` with everything escaped that roff would obey, within a line or at its beginning.
    ///
    /// Characters beyond ASCII become their numbers, so that no formatter has to guess an encoding.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\(rs"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\n": result += " "
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += "\\[u" + digits(scalar.value) + "]"
            }
        }
        return result.hasPrefix(".") || result.hasPrefix(" ") ? "\\&" + result : result
    }

    /// Returns a number as at least four hexadecimal digits.
    private static func digits(_ value: UInt32) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    /// Returns `text` in bold, for words to type as they are.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Returns `text` in italics, for placeholders.
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Returns the line that begins a section.
    static func section(_ heading: String) -> String { ".SH \"\(escaped(heading))\"" }

    /// Returns the line that begins a subsection.
    static func subsection(_ heading: String) -> String { ".SS \"\(escaped(heading))\"" }

    /// Returns the lines of a term, which is already escaped, with its explanation.
    static func entry(_ term: String, _ says: String) -> [String] {
        [".TP", term, says.isEmpty ? "\\&" : escaped(says)]
    }

    /// Returns lines that roff does not fill.
    static func example(_ lines: [String]) -> [String] {
        [".PP", ".RS 4", ".EX"] + lines.map(escaped) + [".EE", ".RE"]
    }
}
