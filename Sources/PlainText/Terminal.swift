/// Makes text from elsewhere safe to print at a terminal.
package enum Terminal {
    /// The length at which a quoted word is cut.
    private static let longestWord = 60

    /// Returns `text` on one line, without control characters or changes of the writing direction.
    ///
    /// Invisible characters are dropped. Control characters, line breaks and characters without an agreed look become `?`; a byte
    /// of a path that is not UTF-8 becomes `\xFF`. A text of more than `longest` characters is cut and ends with `...`.
    package static func line(_ text: String, longest: Int = .max) -> String {
        // Most texts are plain and short.
        if longest >= text.utf8.count, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var line = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let look = scalar.look
            if look == .invisible { continue }
            if count == longest {
                line.append(contentsOf: "...".unicodeScalars)
                break
            }
            if let byte = PathText.rawByte(scalar) {
                line.append(contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
            } else {
                line.append(look == .steering ? "?" : scalar)
            }
            count += 1
        }
        return String(line)
    }

    /// Returns a word that the user typed, safe to quote in a message: on one line, and cut if it is long.
    package static func word(_ text: String) -> String { line(text, longest: longestWord) }

    /// Returns a word of a program or another host as it is if it can only be a name, and otherwise on one line and in quotation
    /// marks, so that it is no part of the sentence around it. A name has letters, digits, hyphens, underscores, dots, plus signs
    /// and the characters in `others`. A word of more than `longest` characters is cut.
    package static func name(_ word: String, also others: String = "", longest: Int = longestName) -> String {
        func isPart(_ byte: UInt8) -> Bool {
            (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                || "-_.+".utf8.contains(byte) || others.utf8.contains(byte)
        }
        let isName = (1...64).contains(word.utf8.count) && word.utf8.allSatisfy(isPart)
        if isName && word.utf8.contains(where: { $0 != UInt8(ascii: ".") }) { return word }
        var quoted = "'"
        for scalar in line(word, longest: longest).unicodeScalars {
            quoted.unicodeScalars.append(scalar == "'" || scalar == "\"" ? "?" : scalar)
        }
        return quoted + "'"
    }

    /// The length at which a name is cut.
    package static let longestName = 40

    /// Returns `text` on one line with every run of white space as one space. Use it for sentences that span several lines.
    package static func sentence(_ text: String, longest: Int = .max) -> String {
        // The blank Braille pattern is a symbol for Unicode, and looks like a space.
        let words = text.unicodeScalars.filter { $0.look != .invisible }
            .split { $0.properties.isWhitespace || $0.value == 0x2800 }
        return line(words.map { String($0) }.joined(separator: " "), longest: longest)
    }
}

extension Unicode.Scalar {
    /// The effect of a character on a terminal.
    enum Look {
        /// The terminal prints it.
        case visible
        /// The terminal prints nothing, but the text around it may look different or change its direction.
        case invisible
        /// The terminal obeys it, or shows something of its own choice.
        case steering
    }

    /// The effect of the character on a terminal. A variation selector counts as visible: it is part of the character before it.
    var look: Look {
        if isASCII { return (0x20...0x7E).contains(value) ? .visible : .steering }
        switch properties.generalCategory {
        case .format: return .invisible
        case .control, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: return .steering
        case .unassigned: return properties.isDefaultIgnorableCodePoint ? .invisible : .steering
        default:
            let isSelector = (0xFE00...0xFE0F).contains(value)
            return properties.isDefaultIgnorableCodePoint && !isSelector ? .invisible : .visible
        }
    }

    /// True if a terminal prints the character unchanged.
    package var isPrintable: Bool { look == .visible }
}
