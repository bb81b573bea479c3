internal import PlainText

/// The address of a key on a card, as RFC 7512 writes it: `pkcs11:token=Work;id=%01?module-path=/usr/lib/…`. What it leaves out,
/// it leaves open.
package struct CardAddress: Hashable, Sendable {
    /// The name of the token.
    package var token: String?
    /// The serial number of the token.
    package var serial: String?
    /// The number of the key.
    package var identifier: [UInt8]?
    /// The name of the key.
    package var label: String?
    /// The path of the module.
    package var module: String?

    /// The reason why a text is no address.
    package struct Fault: Error, Hashable, Sendable {
        /// The reason, as the end of a sentence.
        package let words: String
    }

    /// The address of any key, and the word for it.
    package static let any = "any"
    private static let scheme = "pkcs11:"

    /// Reads an address, or the word for any key.
    package init(_ text: String) throws(Fault) {
        if text == Self.any { return }
        guard text.hasPrefix(Self.scheme) else {
            throw Fault(words: "is \(Self.any), or begins with \(Self.scheme)")
        }
        let halves = text.dropFirst(Self.scheme.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var others: [String] = []
        for part in halves[0].split(separator: ";") { try read(part, &others) }
        for part in halves.dropFirst().flatMap({ $0.split(separator: "&") }) { try read(part, &others) }
        if serial == nil, let name = others.first {
            throw Fault(words: "tells the card by its \(name), which Latchkey does not compare: take its serial=")
        }
    }

    /// Reads a part. Adds its name to `others` if it narrows the choice in a way that is not compared.
    private mutating func read(_ part: Substring, _ others: inout [String]) throws(Fault) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let bytes = Self.decoded(sides[1]) else {
            throw Fault(words: "has a part that is not NAME=VALUE: \(Terminal.line(String(part)))")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        switch sides[0] {
        case "token": token = text
        case "serial": serial = text
        case "id": identifier = bytes
        case "object": label = text
        case "module-path": module = text
        case "manufacturer", "model", "slot-manufacturer", "slot-description", "slot-id":
            others.append(String(sides[0]))
        // They say nothing of the card.
        case "type", "library-version", "library-manufacturer", "library-description": break
        case "pin-value", "pin-source": throw Fault(words: "has no PIN in it: the command asks for that")
        default: throw Fault(words: "has a part that Latchkey does not know: \(Terminal.line(String(sides[0])))")
        }
    }

    package init(of key: CardKey, by module: String, isUsual: Bool) {
        token = key.token.label
        serial = key.token.serial
        identifier = key.identifier
        if !isUsual { self.module = module }
    }

    /// Returns true if the address may stand for a key.
    package func matches(_ key: CardKey) -> Bool {
        (token.map { $0 == key.token.label } ?? true) && (serial.map { $0 == key.token.serial } ?? true)
            && (identifier.map { $0 == key.identifier } ?? true) && (label.map { $0 == key.label } ?? true)
    }

    package var text: String {
        let parts = [
            token.map { "token=" + Self.encoded(Array($0.utf8)) },
            serial.map { "serial=" + Self.encoded(Array($0.utf8)) },
            identifier.map { "id=" + $0.map { Self.hexadecimal($0) }.joined() },
            label.map { "object=" + Self.encoded(Array($0.utf8)) },
        ]
        let query = module.map { "?module-path=" + Self.encoded(Array($0.utf8), also: "/") } ?? ""
        return Self.scheme + parts.compactMap(\.self).joined(separator: ";") + query
    }

    private static func encoded(_ bytes: [UInt8], also others: String = "") -> String {
        bytes.map { byte in
            let isPlain =
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                || ("-._~" + others).utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : hexadecimal(byte)
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
    }

    /// Returns the bytes that a text stands for; nil if a percent sign is followed by no number.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16),
                digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
