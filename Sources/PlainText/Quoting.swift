/// Quotes text for other formats: JSON, YAML, XML, Markdown and CSV.
package enum Quoting {
    /// Returns `text` in quotation marks, with a backslash before each quotation mark and backslash in it. For every other
    /// character, `escape` returns its escape, or nil to keep it as it is.
    package static func quoted(_ text: String, escaping escape: (Unicode.Scalar) -> String?) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                quoted += "\\\(scalar)"
            } else if let escaped = escape(scalar) {
                quoted += escaped
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns `text` as a JSON string in quotation marks. Characters that are unsafe on a terminal are escaped too.
    package static func json(_ text: String) -> String { quoted(text) { inJSON($0) } }

    private static func inJSON(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        default: scalar.isPrintable ? nil : escape(scalar)
        }
    }

    /// Returns the JSON escape for a character; two escapes, a surrogate pair, for a character above the basic plane.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// Returns `text` as a YAML scalar: plain if YAML can read it only as that text, and in quotation marks otherwise.
    package static func yaml(_ text: String) -> String {
        func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) || (65...90).contains(byte) }
        let isPlain = text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || " -_.".utf8.contains($0) }
        let means = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"].contains(text.lowercased())
        let isWord = text.utf8.first.map(isLetter) == true && text.utf8.last != UInt8(ascii: " ")
        return isPlain && isWord && !means ? text : quotedYAML(text)
    }

    /// Returns `text` as a YAML scalar in quotation marks: as in JSON, but a character above the basic plane is one escape of
    /// eight digits, because YAML has no surrogate pairs.
    package static func quotedYAML(_ text: String) -> String {
        quoted(text) { scalar in
            guard scalar.value > 0xFFFF, !scalar.isPrintable else { return inJSON(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    /// Returns `text` escaped for XML or HTML, also inside an attribute. Characters that XML forbids become U+FFFD.
    package static func xml(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": quoted += "&amp;"
            case "<": quoted += "&lt;"
            case ">": quoted += "&gt;"
            case "\"": quoted += "&quot;"
            case "\n": quoted += "&#10;"
            case "\t": quoted += "&#9;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: quoted += "\u{FFFD}"
            case _ where scalar.isPrintable: quoted.unicodeScalars.append(scalar)
            default: quoted += "&#\(scalar.value);"
            }
        }
        return quoted
    }
}
