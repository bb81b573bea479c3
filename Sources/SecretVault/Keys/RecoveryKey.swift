public import SodiumKit

/// The key that sets a new passcode after the owner has forgotten the present one. It is shown once, to be kept on
/// paper.
public final class RecoveryKey: Sendable {
    let key: Key

    init(_ key: consuming Key) { self.key = key }

    // No two of these letters look alike.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Creates a recovery key from its letters. Spaces, dashes and case do not matter. Returns nil if the text is not a
    /// recovery key.
    ///
    /// - Throws: `SodiumError` if no guarded memory is left.
    public convenience init?(_ text: borrowing SecureBytes) throws(SodiumError) {
        var bytes = try SecureBytes(count: Self.byteCount)
        let isGood = text.withBytes { text in
            text.withUnsafeBytes { text in bytes.withMutableBytes { Self.decode(text, into: $0) } }
        }
        guard isGood else { return nil }
        let key = try bytes.withBytes { bytes throws(SodiumError) in
            try Key(copying: bytes.extracting(first: Key.count))
        }
        let checks = bytes.withBytes { bytes in
            bytes.withUnsafeBytes { Array($0[Key.count...]) == Array(Self.check(key)) }
        }
        guard checks else { return nil }
        self.init(key)
    }

    /// Returns the letters of the key, in groups of four.
    ///
    /// - Throws: `SodiumError` if no guarded memory is left.
    public func text() throws(SodiumError) -> SecureBytes {
        var bytes = try SecureBytes(count: Self.byteCount)
        bytes.withMutableBytes { bytes in
            key.withBytes { key in key.withUnsafeBytes { bytes.copyBytes(from: $0) } }
            UnsafeMutableRawBufferPointer(rebasing: bytes[Key.count...]).copyBytes(from: Self.check(key))
        }
        var text = try SecureBytes(count: Self.letterCount + Self.letterCount / 4 - 1)
        bytes.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in text.withMutableBytes { Self.encode(bytes, into: $0) } }
        }
        return text
    }

    /// Returns the number of letters in a text that is only a part of a recovery key; nil for a whole one and for any other text.
    package static func letterCount(ofPart text: borrowing SecureBytes) -> Int? {
        text.withBytes { text in
            text.withUnsafeBytes { text in
                var count = 0
                for byte in text where !isBetweenLetters(byte) {
                    guard value(of: byte) != nil else { return nil }
                    count += 1
                }
                return (1..<letterCount).contains(count) ? count : nil
            }
        }
    }

    // The key's 32 bytes and 3 bytes of checksum make 280 bits: 56 letters of five bits each.
    private static let byteCount = 35
    package static let letterCount = 56

    private static func check(_ key: borrowing Key) -> ArraySlice<UInt8> { key.withBytes { Checksum.of($0)[..<3] } }

    private static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
        var place = 0
        for letter in 0..<letterCount {
            if letter > 0 && letter % 4 == 0 {
                text[place] = UInt8(ascii: "-")
                place += 1
            }
            var value: UInt8 = 0
            for bit in (letter * 5)..<(letter * 5 + 5) {
                value = value << 1 | (bytes[bit / 8] >> (7 - UInt8(bit % 8)) & 1)
            }
            text[place] = letters[Int(value)]
            place += 1
        }
    }

    private static func decode(_ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var bit = 0
        for byte in text where !isBetweenLetters(byte) {
            guard let value = value(of: byte), bit + 5 <= byteCount * 8 else { return false }
            for shift in (0..<5).reversed() {
                bytes[bit / 8] |= UInt8(value >> shift & 1) << (7 - UInt8(bit % 8))
                bit += 1
            }
        }
        return bit == byteCount * 8
    }

    private static func isBetweenLetters(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\n")].contains(byte)
    }

    /// Returns the value of a letter; nil for one that no recovery key has.
    private static func value(of letter: UInt8) -> Int? {
        let isSmall = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
        return letters.firstIndex(of: isSmall ? letter - 32 : letter)
    }
}
