/// Text as the formatter of manual pages takes it.
enum Roff {
    /// Returns the text with nothing in it that means something to the formatter, neither in a line nor at its beginning.
    /// Everything but ASCII is named by its number, so that no encoding has to be guessed.
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

    /// At least four hexadecimal digits.
    private static func digits(_ value: UInt32) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    /// Returns text that is typed as it is.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Returns text for which another text is typed.
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// A part of the page.
    static func section(_ heading: String) -> String { ".SH \"\(escaped(heading))\"" }

    /// A part of a section.
    static func subsection(_ heading: String) -> String { ".SS \"\(escaped(heading))\"" }

    /// A term, which is escaped already, and what it means.
    static func entry(_ term: String, _ says: String) -> [String] {
        [".TP", term, says.isEmpty ? "\\&" : escaped(says)]
    }

    /// Lines that stay as they are.
    static func example(_ lines: [String]) -> [String] {
        [".PP", ".RS 4", ".EX"] + lines.map(escaped) + [".EE", ".RE"]
    }
}
