/// The ways in which Signature Version 4 writes the parts of a request.
enum CanonicalText {
    /// Returns the path: for a service that keeps it, with each character encoded once; for any other without dots and empty parts,
    /// and encoded once more than it was sent.
    static func path(_ path: String, keeps: Bool) -> String {
        if keeps { return encoded(decoded(path.utf8), keepsSlash: true) }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part != ".." { parts.append(part) } else if !parts.isEmpty { parts.removeLast() }
        }
        var normal = ""
        for part in parts { normal += "/" + part }
        if normal.isEmpty || path.utf8.last == UInt8(ascii: "/") { normal += "/" }
        return encoded(Array(normal.utf8), keepsSlash: true)
    }

    /// Returns the query, sorted by the names and then by the values.
    static func query(_ query: String) -> String {
        let pairs = pairs(of: query).map { (name: encoded($0.name), value: encoded($0.value)) }
        let sorted = pairs.sorted { one, other in
            one.name == other.name ? isBefore(one.value, other.value) : isBefore(one.name, other.name)
        }
        var text = ""
        for pair in sorted { text += (text.isEmpty ? "" : "&") + pair.name + "=" + pair.value }
        return text
    }

    /// Returns true if a text comes before another one in the order of bytes.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the names and values of a query, decoded.
    static func pairs(of query: String) -> [(name: [UInt8], value: [UInt8])] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { piece in
            let sign = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            return (decoded(piece[..<sign]), decoded(piece[sign...].dropFirst()))
        }
    }

    /// Returns a value without the blanks around it, and with one blank for each run of them.
    static func value(_ value: String) -> String {
        var text = ""
        for part in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) {
            text += (text.isEmpty ? "" : " ") + String(decoding: part, as: UTF8.self)
        }
        return text
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var decoded: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count, let high = digit(bytes[place + 1]),
                let low = digit(bytes[place + 2])
            {
                decoded.append(high << 4 | low)
                place += 3
            } else {
                decoded.append(bytes[place])
                place += 1
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte.lowercased {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte.lowercased - 0x57
        default: nil
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes everything but letters, digits, `-`, `.`, `_` and `~`.
    private static func encoded(_ bytes: [UInt8], keepsSlash: Bool = false) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            case UInt8(ascii: "/") where keepsSlash: text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
