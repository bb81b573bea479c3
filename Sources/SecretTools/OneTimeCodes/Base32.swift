internal import SodiumKit

/// Seeds in base32 (RFC 4648), as people type them and as URIs hold them.
enum Base32 {
    /// Returns the bytes that the text in `range` stands for. Capitals do not count, nor do spaces, hyphens and the padding at
    /// the end. Returns nil if the text is not valid.
    ///
    /// - Throws: `OneTimeCodeError/unavailable` if no guarded memory is left.
    static func decoded(_ text: RawSpan, _ range: Range<Int>) throws(OneTimeCodeError) -> SecureBytes? {
        var bytes: SecureBytes
        do { bytes = try SecureBytes(count: range.count * 5 / 8 + 1) } catch { throw .unavailable }
        var (letters, count, isPadded, isValid) = (0, 0, false, true)
        bytes.withMutableBytes { bytes in
            var (held, bits) = (UInt32(0), 0)
            var place = range.lowerBound
            while place < range.upperBound && isValid {
                var byte = text.byte(at: place)
                place += 1
                // A URI may hold the padding and spaces in percent encoding.
                if byte == UInt8(ascii: "%"), let decoded = text.percentDecoded(at: place, before: range.upperBound) {
                    byte = decoded
                    place += 2
                }
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "\t"): continue
                case UInt8(ascii: "="): isPadded = true
                default:
                    guard let value = value(of: byte), !isPadded else {
                        isValid = false
                        continue
                    }
                    letters += 1
                    held = (held << 5 | UInt32(value)) & 0xFFFF
                    bits += 5
                    if bits >= 8 {
                        bits -= 8
                        bytes[count] = UInt8(truncatingIfNeeded: held >> UInt32(bits))
                        count += 1
                    }
                }
            }
            held = 0
        }
        // No number of bytes has these many letters, so some are missing.
        guard isValid, ![1, 3, 6].contains(letters % 8) else { return nil }
        do { return try bytes.prefix(count) } catch { throw .unavailable }
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}

extension RawSpan {
    /// Returns the byte that the two hexadecimal digits at `place` stand for; nil if there are none before `end`.
    func percentDecoded(at place: Int, before end: Int) -> UInt8? {
        guard place + 2 <= end, let high = Self.digit(byte(at: place)), let low = Self.digit(byte(at: place + 1)) else {
            return nil
        }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
