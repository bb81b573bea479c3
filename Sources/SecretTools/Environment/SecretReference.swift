/// A reference to a secret: `latchkey://NAME`, with percent-encoding for characters that would mean something else there.
enum SecretReference {
    static let scheme = "latchkey://"

    /// Returns the pieces of a value. A reference is the whole value, or `{{latchkey://NAME}}` inside it; other braces are text.
    ///
    /// - Throws: `EnvironmentError` if a reference is malformed.
    static func value(of text: String) throws(EnvironmentError) -> EnvironmentValue {
        if text.hasPrefix(scheme) {
            return EnvironmentValue(pieces: [.secret(try name(text.dropFirst(scheme.count)))])
        }
        var pieces: [EnvironmentValue.Piece] = []
        var literal = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 == "{" || $0 == "l" }) {
            literal += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix(scheme) { throw .bareReference }
            guard let opened = opening(rest) else {
                literal.append(rest.removeFirst())
                continue
            }
            guard let end = opened.firstIndex(of: "}"), opened[end...].hasPrefix("}}") else { throw .openReference }
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = ""
            var inside = opened[..<end]
            while inside.last == " " { inside.removeLast() }
            pieces.append(.secret(try name(inside)))
            rest = opened[opened.index(end, offsetBy: 2)...]
        }
        literal += rest
        if !literal.isEmpty || pieces.isEmpty { pieces.append(.text(literal)) }
        return EnvironmentValue(pieces: pieces)
    }

    /// Returns the text after `{{latchkey://`; nil if `text` does not begin with that.
    private static func opening(_ text: Substring) -> Substring? {
        guard text.hasPrefix("{{") else { return nil }
        let inside = text.dropFirst(2).drop { $0 == " " }
        return inside.hasPrefix(scheme) ? inside.dropFirst(scheme.count) : nil
    }

    private static func name(_ text: Substring) throws(EnvironmentError) -> SecretName {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                throw .badPercent
            }
            bytes.append(high << 4 | low)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw .badPercent }
        do { return try SecretName(name) } catch { throw .badName(error) }
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }
}
