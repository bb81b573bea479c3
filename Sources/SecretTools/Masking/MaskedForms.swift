internal import SodiumKit

/// The forms in which a program may write a secret that it was given.
struct MaskedForms: ~Copyable {
    private let secret: SecureBytes

    /// Line ends behind it are none of the secret, and are left to the output.
    init(_ secret: borrowing SecureBytes) throws(SodiumError) {
        self.secret = try secret.withBytes { (bytes) throws(SodiumError) in
            var count = bytes.byteCount
            while count > 0, [0x0A, 0x0D].contains(bytes.byte(at: count - 1)) { count -= 1 }
            return try SecureBytes(copying: bytes.extracting(first: count))
        }
    }

    var isLongEnough: Bool { secret.count >= MaskedWords.fewest }

    /// Calls `body` with each of them. Some may be the same.
    borrowing func forEach(_ body: (RawSpan) throws(SodiumError) -> Void) throws(SodiumError) {
        try secret.withBytes { (bytes) throws(SodiumError) in
            try body(bytes)
            try eachLine(of: bytes, body)
            for form in Escaping.allCases { try form.escape(bytes).withBytes(body) }
            for lineEnd in [[], [0x0A]] as [[UInt8]] {
                for alphabet in SecureBytes.Base64Alphabet.allCases { try encoded(bytes, lineEnd, alphabet, body) }
            }
            guard bytes.byteCount >= MaskedWords.fewestOfLine else { return }
            for alphabet in SecureBytes.Base64Alphabet.allCases {
                for before in 0...2 { try inside(bytes, before, alphabet, body) }
            }
        }
    }

    private borrowing func eachLine(
        of bytes: RawSpan, _ body: (RawSpan) throws(SodiumError) -> Void
    ) throws(SodiumError) {
        var start = 0
        for place in 0...bytes.byteCount where place == bytes.byteCount || bytes.byte(at: place) == 0x0A {
            let end = place > start && bytes.byte(at: place - 1) == 0x0D ? place - 1 : place
            let line = bytes.extracting(start..<max(start, end))
            if line.byteCount >= MaskedWords.fewestOfLine, !isRuler(line) { try body(line) }
            start = place + 1
        }
    }

    /// Whether it is one character again and again: an indentation or a ruler, which other outputs have as well.
    private borrowing func isRuler(_ line: RawSpan) -> Bool {
        (1..<line.byteCount).allSatisfy { line.byte(at: $0) == line.byte(at: 0) }
    }

    /// The base64 of it alone, with or without a line end behind it, up to the padding.
    private borrowing func encoded(
        _ bytes: RawSpan, _ lineEnd: [UInt8], _ alphabet: SecureBytes.Base64Alphabet,
        _ body: (RawSpan) throws(SodiumError) -> Void
    ) throws(SodiumError) {
        var whole = try SecureBuffer(capacity: bytes.byteCount + lineEnd.count)
        try whole.append(bytes)
        try whole.append(lineEnd.span.bytes)
        let characters = (4 * whole.count + 2) / 3
        try whole.bytes().base64(alphabet).withBytes { (text) throws(SodiumError) in
            try body(text.extracting(first: characters))
        }
    }

    /// The base64 of it behind `before` other bytes: those characters that depend on nothing else.
    private borrowing func inside(
        _ bytes: RawSpan, _ before: Int, _ alphabet: SecureBytes.Base64Alphabet,
        _ body: (RawSpan) throws(SodiumError) -> Void
    ) throws(SodiumError) {
        var whole = try SecureBuffer(capacity: bytes.byteCount + before)
        for _ in 0..<before { try whole.append(0) }
        try whole.append(bytes)
        let first = (8 * before + 5) / 6
        let end = 8 * whole.count / 6
        try whole.bytes().base64(alphabet).withBytes { (text) throws(SodiumError) in
            try body(text.extracting(first..<end))
        }
    }
}

/// How characters are written where they would mean something.
private enum Escaping: CaseIterable {
    /// Everything but letters, digits and four signs as `%2F`.
    case percent
    /// The same with small digits.
    case percentSmall
    /// As browsers do it, which leave some more signs.
    case percentInBrowsers
    /// As in a form, with `+` for a space.
    case form
    /// In a JSON string.
    case json
    /// In a JSON string, slashes too.
    case jsonWithSlashes
    /// In a JSON string of ASCII only.
    case jsonASCII

    func escape(_ bytes: RawSpan) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: bytes.byteCount)
        var place = 0
        while place < bytes.byteCount {
            let byte = bytes.byte(at: place)
            switch self {
            case .percent, .percentSmall, .percentInBrowsers, .form: try percent(byte, to: &text)
            case .jsonASCII where byte >= 0x80:
                if let scalar = bytes.scalar(at: place) {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        try escape(unit, to: &text)
                    }
                    place += UTF8.width(scalar)
                    continue
                }
                try text.append(byte)
            case .json, .jsonWithSlashes, .jsonASCII: try json(byte, to: &text)
            }
            place += 1
        }
        return try text.bytes()
    }

    private func percent(_ byte: UInt8, to text: inout SecureBuffer) throws(SodiumError) {
        let isLetter = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
        let others: StaticString = self == .percentInBrowsers ? "-._~!'()*" : "-._~"
        if isLetter || others.withUTF8Buffer({ $0.contains(byte) }) {
            try text.append(byte)
        } else if self == .form && byte == 0x20 {
            try text.append(UInt8(ascii: "+"))
        } else {
            try text.append(UInt8(ascii: "%"))
            try append(hexadecimal: byte >> 4, to: &text, isSmall: self == .percentSmall)
            try append(hexadecimal: byte & 15, to: &text, isSmall: self == .percentSmall)
        }
    }

    private func json(_ byte: UInt8, to text: inout SecureBuffer) throws(SodiumError) {
        let letter: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case UInt8(ascii: "/") where self == .jsonWithSlashes: byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        if let letter {
            try text.append(UInt8(ascii: "\\"))
            try text.append(letter)
        } else if byte < 0x20 {
            try escape(UInt16(byte), to: &text)
        } else {
            try text.append(byte)
        }
    }

    private func escape(_ unit: UInt16, to text: inout SecureBuffer) throws(SodiumError) {
        try text.append(UInt8(ascii: "\\"))
        try text.append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] { try append(hexadecimal: UInt8(unit >> shift & 15), to: &text, isSmall: true) }
    }

    private func append(hexadecimal digit: UInt8, to text: inout SecureBuffer, isSmall: Bool) throws(SodiumError) {
        try text.append(digit < 10 ? 0x30 + digit : (isSmall ? 0x61 : 0x41) + digit - 10)
    }
}
