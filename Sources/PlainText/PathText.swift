/// Paths as texts. The system takes any bytes for a path, and a text holds UTF-8 alone.
///
/// Each byte of a path that is no part of UTF-8 becomes a private character: U+10F780 for the byte 0x80, up to U+10F7FF for the
/// byte 0xFF. A path that has such a character already gets three or four of them for it, so that ``bytes(_:)`` always returns
/// the path that the text was made from. The text of any other path is its UTF-8.
package enum PathText {
    private static let base: UInt32 = 0x10F700

    package static func text(_ path: some Sequence<UInt8>) -> String {
        let path = Array(path)
        if let text = String(validating: path, as: UTF8.self), !hasRawBytes(text) { return text }
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var rest = path.makeIterator()
        var place = 0
        while true {
            let length: Int
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return String(text)
            case .error(let count): length = count
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                length = encoded.count
                if rawByte(scalar) == nil {
                    text.append(scalar)
                    place += length
                    continue
                }
            }
            for byte in path[place..<place + length] {
                if let scalar = Unicode.Scalar(base + UInt32(byte)) { text.append(scalar) }
            }
            place += length
        }
    }

    /// Copies the text of a path from a C string.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        var end = cString
        while end.pointee != 0 { end += 1 }
        return text(UnsafeRawBufferPointer(start: cString, count: end - cString))
    }

    /// Returns the path that a text stands for.
    package static func bytes(_ text: String) -> [UInt8] {
        guard hasRawBytes(text) else { return Array(text.utf8) }
        var path: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let byte = rawByte(scalar) { path.append(byte) } else { path += String(scalar).utf8 }
        }
        return path
    }

    /// True if the text stands for a path that is not its UTF-8.
    package static func hasRawBytes(_ text: String) -> Bool {
        // No other character begins with these three bytes.
        var last: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            if last == (0xF4, 0x8F), byte | 1 == 0x9F { return true }
            last = (last.1, byte)
        }
        return false
    }

    /// Returns the byte of a path that a character stands for; nil if it stands for itself.
    static func rawByte(_ scalar: Unicode.Scalar) -> UInt8? {
        base + 0x80...base + 0xFF ~= scalar.value ? UInt8(scalar.value - base) : nil
    }
}
