internal import SodiumKit

/// A way to escape text in URLs and web forms.
enum AddressForm: CaseIterable {
    /// Percent-encoding with capital digits, such as `%2F`, of all but letters, digits and four signs.
    case percent
    /// Percent-encoding with small digits, such as `%2f`.
    case percentSmall
    /// Percent-encoding as browsers do it, which leave more signs unescaped.
    case percentInBrowsers
    /// The encoding of web forms, with `+` for a space.
    case form

    func escape(_ bytes: RawSpan) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: bytes.byteCount)
        for place in 0..<bytes.byteCount {
            let byte = bytes.byte(at: place)
            let isLetter = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
            let others: StaticString = self == .percentInBrowsers ? "-._~!'()*" : "-._~"
            if isLetter || others.withUTF8Buffer({ $0.contains(byte) }) {
                try text.append(byte)
            } else if self == .form && byte == 0x20 {
                try text.append(UInt8(ascii: "+"))
            } else {
                try text.append(UInt8(ascii: "%"))
                try text.append(hexadecimal: byte, isSmall: self == .percentSmall)
            }
        }
        return try text.bytes()
    }
}

/// A way to escape text between quotation marks, without its backslashes.
///
/// Shells and languages put backslashes before different characters. So streams are searched as if they had none, and these
/// forms have none either.
struct QuotedForm {
    /// A way to escape a quotation mark.
    enum Mark: CaseIterable {
        /// The mark itself, with a backslash or without.
        case itself
        /// `'\''`, which shells need between single quotes.
        case closed
        /// `'"'"'`, which works in shells between single quotes, too.
        case quoted
        /// Two marks, as in SQL and CSV.
        case doubled
    }

    /// A way to escape a control character that has no letter of its own.
    enum Control: CaseIterable {
        case itself
        /// `\033`, with `\E` for escape.
        case octal
        /// `\x1b`
        case hexadecimal
        /// `\u001b`
        case unit
    }

    /// A way to escape a character beyond ASCII.
    enum Other {
        case itself
        /// An escape as for a control character: of each byte, or of each UTF-16 unit as in JSON.
        case escaped(isSmall: Bool)
    }

    let mark: Mark
    let control: Control
    let other: Other

    /// The forms that programs write.
    static var all: [QuotedForm] {
        Mark.allCases.map { QuotedForm(mark: $0, control: .itself, other: .itself) }
            + [Control.octal, .hexadecimal, .unit].flatMap { control in
                [.itself, .escaped(isSmall: true), .escaped(isSmall: false)].map {
                    QuotedForm(mark: .itself, control: control, other: $0)
                }
            }
    }

    func escape(_ bytes: RawSpan) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: bytes.byteCount)
        var place = 0
        while place < bytes.byteCount {
            let byte = bytes.byte(at: place)
            switch byte {
            case UInt8(ascii: "\\"): break
            case UInt8(ascii: "'"), UInt8(ascii: "\""): try append(mark: byte, to: &text)
            case ..<0x20, 0x7F: try append(control: byte, to: &text)
            case 0x80...:
                if case .escaped(let isSmall) = other {
                    place += try append(other: bytes, at: place, isSmall: isSmall, to: &text)
                    continue
                }
                try text.append(byte)
            default: try text.append(byte)
            }
            place += 1
        }
        return try text.bytes()
    }

    private func append(mark: UInt8, to text: inout SecureBuffer) throws(SodiumError) {
        switch (self.mark, mark) {
        case (.closed, UInt8(ascii: "'")): try text.append(text: "'''")
        case (.quoted, UInt8(ascii: "'")): try text.append(text: "'\"'\"'")
        case (.doubled, _):
            try text.append(mark)
            try text.append(mark)
        default: try text.append(mark)
        }
    }

    private func append(control byte: UInt8, to text: inout SecureBuffer) throws(SodiumError) {
        if control == .itself { return try text.append(byte) }
        let letter: UInt8? =
            switch byte {
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0D: UInt8(ascii: "r")
            case 0x08 where control != .hexadecimal: UInt8(ascii: "b")
            case 0x0C where control != .hexadecimal: UInt8(ascii: "f")
            case 0x07 where control == .octal: UInt8(ascii: "a")
            case 0x0B where control == .octal: UInt8(ascii: "v")
            case 0x1B where control == .octal: UInt8(ascii: "E")
            default: nil
            }
        // JSON does not escape U+007F.
        if let letter {
            try text.append(letter)
        } else if control == .unit && byte == 0x7F {
            try text.append(byte)
        } else {
            try append(escaped: byte, isSmall: true, to: &text)
        }
    }

    private func append(escaped byte: UInt8, isSmall: Bool, to text: inout SecureBuffer) throws(SodiumError) {
        switch control {
        case .itself: try text.append(byte)
        case .octal: for shift in [6, 3, 0] { try text.append(0x30 + byte >> UInt8(shift) & 7) }
        case .hexadecimal:
            try text.append(UInt8(ascii: "x"))
            try text.append(hexadecimal: byte, isSmall: isSmall)
        case .unit:
            try text.append(text: "u00")
            try text.append(hexadecimal: byte, isSmall: isSmall)
        }
    }

    /// Appends the character that begins at `place`, and returns its number of bytes.
    private func append(
        other bytes: RawSpan, at place: Int, isSmall: Bool, to text: inout SecureBuffer
    ) throws(SodiumError) -> Int {
        guard control == .unit else {
            try append(escaped: bytes.byte(at: place), isSmall: isSmall, to: &text)
            return 1
        }
        guard let scalar = bytes.scalar(at: place) else {
            try text.append(bytes.byte(at: place))
            return 1
        }
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            try text.append(UInt8(ascii: "u"))
            try text.append(hexadecimal: UInt8(unit >> 8), isSmall: isSmall)
            try text.append(hexadecimal: UInt8(unit & 0xFF), isSmall: isSmall)
        }
        return UTF8.width(scalar)
    }
}

extension SecureBuffer {
    /// Appends a byte as two hexadecimal digits.
    mutating func append(hexadecimal byte: UInt8, isSmall: Bool) throws(SodiumError) {
        for digit in [byte >> 4, byte & 15] {
            try append(digit < 10 ? 0x30 + digit : (isSmall ? 0x61 : 0x41) + digit - 10)
        }
    }

    /// Appends a text that is not secret.
    fileprivate mutating func append(text: StaticString) throws(SodiumError) {
        for place in 0..<text.utf8CodeUnitCount { try append(text.utf8Start[place]) }
    }
}
