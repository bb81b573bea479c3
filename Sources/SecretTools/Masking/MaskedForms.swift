internal import SodiumKit

/// The forms in which a program may write a secret.
struct MaskedForms: ~Copyable {
    private let secret: SecureBytes

    /// Creates the forms of a secret. Line ends after it do not count, so they stay in the output.
    init(_ secret: borrowing SecureBytes) throws(SodiumError) {
        self.secret = try secret.withBytes { (bytes) throws(SodiumError) in
            var count = bytes.byteCount
            while count > 0, [0x0A, 0x0D].contains(bytes.byte(at: count - 1)) { count -= 1 }
            return try SecureBytes(copying: bytes.extracting(first: count))
        }
    }

    var isLongEnough: Bool { secret.count >= MaskedWords.fewest }

    /// Calls `body` with each form, and the way to read a stream in search of it. Some forms may be equal.
    borrowing func forEach(_ body: (Reading, RawSpan) throws(SodiumError) -> Void) throws(SodiumError) {
        try secret.withBytes { (bytes) throws(SodiumError) in
            func plain(_ word: RawSpan) throws(SodiumError) { try body(.plain, word) }
            func quoted(_ word: RawSpan) throws(SodiumError) { try body(.quoted, word) }
            try plain(bytes)
            try eachLine(of: bytes, plain)
            for form in AddressForm.allCases { try form.escape(bytes).withBytes(plain) }
            for form in QuotedForm.all { try form.escape(bytes).withBytes(quoted) }
            try hexadecimal(bytes).withBytes { (digits) throws(SodiumError) in try body(.hexadecimal, digits) }
            try eachBase64(of: bytes) { (text) throws(SodiumError) in try body(.base64, text) }
        }
    }

    private borrowing func hexadecimal(_ bytes: RawSpan) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: 2 * bytes.byteCount)
        for place in 0..<bytes.byteCount { try text.append(hexadecimal: bytes.byte(at: place), isSmall: true) }
        return try text.bytes()
    }

    private borrowing func eachBase64(
        of bytes: RawSpan, _ body: (RawSpan) throws(SodiumError) -> Void
    ) throws(SodiumError) {
        for lineEnd in [[], [0x0A]] as [[UInt8]] {
            for alphabet in SecureBytes.Base64Alphabet.allCases { try encoded(bytes, lineEnd, alphabet, body) }
        }
        for alphabet in SecureBytes.Base64Alphabet.allCases {
            for before in 0...2 { try inside(bytes, before, alphabet, body) }
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

    /// Returns true if the line repeats one character, as an indentation or a ruler does. Ordinary output has such lines too.
    private borrowing func isRuler(_ line: RawSpan) -> Bool {
        (1..<line.byteCount).allSatisfy { line.byte(at: $0) == line.byte(at: 0) }
    }

    /// Calls `body` with the base64 of `bytes`, followed by `lineEnd`, up to the padding.
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

    /// Calls `body` with the base64 of `bytes` after `before` other bytes: only the characters that depend on nothing else.
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
