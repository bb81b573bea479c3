/// A JSON value, read strictly by RFC 8259. The reader also refuses duplicate names in an object, and deep nesting.
package enum JSON: Hashable, Sendable {
    case null
    /// One of the words `true` and `false`.
    case bool(Bool)
    /// A number, kept as it is written.
    case number(String)
    /// A string, with its escapes resolved.
    case string(String)
    case array([JSON])
    /// An object, whose names are unique.
    case object([String: JSON])

    /// An error that says why bytes are not JSON, and where.
    package struct SyntaxError: Error, Hashable, Sendable {
        /// The reason, in a few words.
        package var what: String
        /// The offset of the first wrong byte.
        package var position: Int
    }

    /// The deepest nesting of objects and arrays that the reader accepts, unless a caller needs more.
    package static let deepest = 8

    /// Reads one JSON value, which must be all that `bytes` hold, nested at most `deepest` deep.
    ///
    /// - Throws: ``SyntaxError`` at the first byte that does not belong there.
    package init(_ bytes: [UInt8], deepest: Int = Self.deepest) throws(SyntaxError) {
        var reader = JSONReader(bytes: bytes, deepest: deepest)
        self = try reader.document()
    }

    /// The value as JSON on one line, with the members of objects sorted by name.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map { $0.text }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }

    /// Returns `text` as a JSON string for programs. ``Quoting/json(_:)`` also makes it safe to read on a terminal.
    package static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy(isAsItIs) { return "\"" + text + "\"" }
        return Quoting.quoted(text) { $0.value < 0x20 || $0.value == 0x7F ? Quoting.escape($0) : nil }
    }

    /// Appends the UTF-8 `text` to `bytes` as ``quoted(_:)`` writes it.
    package static func quote(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var isPlain = true
        for place in text.indices where !isAsItIs(text[place]) { isPlain = false }
        text.withUnsafeBufferPointer { text in
            guard isPlain else {
                bytes += quoted(String(decoding: text, as: UTF8.self)).utf8
                return
            }
            bytes.append(UInt8(ascii: "\""))
            bytes += text
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// True for a character of a string that needs no escape, and no look at its neighbors.
    private static func isAsItIs(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let deepest: Int
    var position = 0

    func fault(_ what: String) -> JSON.SyntaxError { JSON.SyntaxError(what: what, position: position) }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func document() throws(JSON.SyntaxError) -> JSON {
        let value = try value(at: 0)
        skipSpace()
        guard next == nil else { throw fault("unexpected text after the value") }
        return value
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func value(at depth: Int) throws(JSON.SyntaxError) -> JSON {
        guard depth <= deepest else { throw fault("nested too deep") }
        skipSpace()
        switch next ?? 0 {
        case UInt8(ascii: "{"): return try object(at: depth)
        case UInt8(ascii: "["): return try array(at: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault("expected a value")
        }
    }

    mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.SyntaxError) -> JSON {
        let isThere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isThere else { throw fault("expected a value") }
        position += word.utf8CodeUnitCount
        return value
    }

    mutating func object(at depth: Int) throws(JSON.SyntaxError) -> JSON {
        position += 1
        var members: [String: JSON] = [:]
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("expected a name in quotation marks") }
            let name = try string()
            skipSpace()
            guard consume(UInt8(ascii: ":")) else { throw fault("expected a colon") }
            let value = try value(at: depth + 1)
            guard members.updateValue(value, forKey: name) == nil else { throw fault("duplicate name") }
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "}")) else { throw fault("expected a comma or a closing brace") }
        return .object(members)
    }

    mutating func array(at depth: Int) throws(JSON.SyntaxError) -> JSON {
        position += 1
        var values: [JSON] = []
        skipSpace()
        if consume(UInt8(ascii: "]")) { return .array(values) }
        repeat {
            values.append(try value(at: depth + 1))
            skipSpace()
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "]")) else { throw fault("expected a comma or a closing bracket") }
        return .array(values)
    }

    mutating func number() throws(JSON.SyntaxError) -> String {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try digits() }
        if consume(UInt8(ascii: ".")) { try digits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func digits() throws(JSON.SyntaxError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw fault("expected a digit") }
    }

    mutating func string() throws(JSON.SyntaxError) -> String {
        position += 1
        var text = ""
        // The bytes from here on have no escapes, so they are copied at once.
        var plain = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += try letters(from: plain)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try letters(from: plain)
                position += 1
                text.unicodeScalars.append(try escaped())
                plain = position
            case 0..<0x20: throw fault("a control character in a string")
            default: position += 1
            }
        }
        throw fault("a string without an end")
    }

    /// Returns the text from `start` up to the current position. Throws if it is not UTF-8.
    private func letters(from start: Int) throws(JSON.SyntaxError) -> String {
        do { return String(copying: try UTF8Span(validating: bytes.span.extracting(start..<position))) } catch {
            throw fault("a string that is not UTF-8")
        }
    }

    /// Reads the rest of an escape, after its backslash.
    mutating func escaped() throws(JSON.SyntaxError) -> Unicode.Scalar {
        guard let byte = next else { throw fault("a string without an end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            // A character above the basic plane is a surrogate pair: two escapes that mean nothing alone.
            guard first < 0xDC00, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else {
                throw fault("half of a surrogate pair")
            }
            let second = try hexadecimal()
            guard (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw fault("half of a surrogate pair") }
            return scalar
        default: throw fault("unknown escape")
        }
    }

    mutating func hexadecimal() throws(JSON.SyntaxError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("expected four hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }
}
