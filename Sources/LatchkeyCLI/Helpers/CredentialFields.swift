package import SodiumKit

/// A JSON object of strings, some of which may be secret. It is read in wiped memory.
package struct CredentialFields: ~Copyable {
    /// The names and strings, unescaped, one after the other.
    private var texts: SecureBuffer
    private var members: [String: Range<Int>] = [:]

    private init(room: Int) throws(SodiumError) { texts = try SecureBuffer(capacity: room) }

    /// Reads an object. Of two members with one name, the last one counts; members that are no strings are left out.
    ///
    /// - Throws: `CommandError` if `text` is no object of strings, numbers, booleans and nulls.
    package static func read(_ text: borrowing SecureBytes) throws -> CredentialFields {
        var object = try CredentialFields(room: text.count)
        try text.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                var reader = Reader(rest: bytes[...])
                try object.read(&reader)
            }
        }
        return object
    }

    private mutating func read(_ reader: inout Reader) throws {
        try reader.require("{")
        var isFirst = true
        while !reader.consume("}") {
            if !isFirst { try reader.require(",") }
            isFirst = false
            let start = texts.count
            try reader.string(into: &texts)
            let name = text(in: start..<texts.count)
            try reader.require(":")
            let valueStart = texts.count
            if reader.isAtString {
                try reader.string(into: &texts)
                members[name] = valueStart..<texts.count
            } else {
                try reader.skipWord()
            }
        }
        if !reader.isAtEnd { throw reader.trouble("nothing more") }
    }

    private func text(in range: Range<Int>) -> String {
        texts.withBytes { bytes in
            bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns a member that is not secret; the empty string if there is none.
    package func text(_ name: String) -> String { members[name].map { text(in: $0) } ?? "" }

    /// Returns a secret member; nil if there is none.
    package func secret(_ name: String) throws(SodiumError) -> SecureBytes? {
        guard let range = members[name] else { return nil }
        return try texts.withBytes { (bytes) throws(SodiumError) in try SecureBytes(copying: bytes.extracting(range)) }
    }
}

/// The rest of a text that is being read. Errors contain no part of the text, because it may be secret.
private struct Reader {
    var rest: Slice<UnsafeRawBufferPointer>

    private mutating func skipSpace() {
        while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() }
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return rest.isEmpty
        }
    }

    var isAtString: Bool {
        mutating get {
            skipSpace()
            return rest.first == UInt8(ascii: "\"")
        }
    }

    mutating func consume(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func require(_ sign: Unicode.Scalar) throws {
        if !consume(sign) { throw trouble("\"\(Character(sign))\"") }
    }

    /// Returns the error that says which syntax was expected, and where.
    func trouble(_ wanted: String) -> CommandError {
        CommandError(
            "not a JSON object of strings: at byte \(rest.startIndex), expected \(wanted)")
    }

    /// Skips a number, `true`, `false` or `null`.
    mutating func skipWord() throws {
        skipSpace()
        let count = rest.prefix { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || [0x2B, 0x2D, 0x2E, 0x45].contains($0) }
            .count
        if count == 0 { throw trouble("a string or a number") }
        rest = rest.dropFirst(count)
    }

    mutating func string(into texts: inout SecureBuffer) throws {
        try require("\"")
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape(into: &texts)
            case ..<0x20: throw trouble("an escaped control character")
            default: try texts.append(byte)
            }
        }
        throw trouble("a quotation mark")
    }

    private mutating func escape(into texts: inout SecureBuffer) throws {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): try texts.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): try texts.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): try texts.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): try texts.append(0x08)
        case UInt8(ascii: "f"): try texts.append(0x0C)
        case UInt8(ascii: "n"): try texts.append(0x0A)
        case UInt8(ascii: "r"): try texts.append(0x0D)
        case UInt8(ascii: "t"): try texts.append(0x09)
        case UInt8(ascii: "u"):
            for byte in UTF8.encode(try scalar()) ?? UTF8.encodedReplacementCharacter { try texts.append(byte) }
        default: throw trouble("an escape that JSON has")
        }
    }

    private mutating func scalar() throws -> Unicode.Scalar {
        let unit = try unit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // This is the first half of a surrogate pair: the second has to follow.
        guard unit < 0xDC00, rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
            case let low = try self.unit(), 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
        else { throw trouble("the other half of a pair") }
        return scalar
    }

    private mutating func unit() throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw trouble("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

extension SecureBuffer {
    /// Appends `bytes` as a JSON string. Returns false, and appends nothing, if they are not UTF-8.
    package mutating func append(json bytes: RawSpan) throws(SodiumError) -> Bool {
        let isText = bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
        }
        guard isText else { return false }
        try append(UInt8(ascii: "\""))
        for place in 0..<bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                try append(UInt8(ascii: "\\"))
                try append(byte)
            case ..<0x20, 0x7F:
                try append(text: "\\u00")
                for digit in [byte >> 4, byte & 15] { try append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            default: try append(byte)
            }
        }
        try append(UInt8(ascii: "\""))
        return true
    }

    /// Appends a text that is not secret as a JSON string.
    mutating func append(json text: String) throws(SodiumError) {
        var text = text
        text.makeContiguousUTF8()
        _ = try append(json: text.utf8Span.span.bytes)
    }
}
