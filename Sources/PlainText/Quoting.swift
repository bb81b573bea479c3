/// Texts as other formats write them.
package enum Quoting {
    /// A text of JSON, with its quotes.
    package static func json(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.isPrintable: quoted.unicodeScalars.append(scalar)
            default: for unit in scalar.utf16 { quoted += escape(unit) }
            }
        }
        return quoted + "\""
    }

    /// An escape of JSON.
    static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// A text of YAML: as it is where it can only be that, or else with quotes, as in JSON.
    package static func yaml(_ text: String) -> String {
        func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) || (65...90).contains(byte) }
        let isPlain = text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || " -_.".utf8.contains($0) }
        let means = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none"].contains(text.lowercased())
        let isWord = text.utf8.first.map(isLetter) == true && text.utf8.last != UInt8(ascii: " ")
        return isPlain && isWord && !means ? text : json(text)
    }

    /// A text inside of XML or HTML, also in an attribute. What XML cannot hold is left out.
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
