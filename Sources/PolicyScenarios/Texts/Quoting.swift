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
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return quoted + "\""
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

/// So many things of a kind.
package func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? one : several ?? one + "s")"
}
