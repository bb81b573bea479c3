import SodiumKit

// What the tests of this folder say often.

/// The bytes that these hexadecimal digits stand for; anything else between them is left out.
func bytes(hex text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// `first`, `first + 1` and so on.
func counting(_ count: Int, from first: UInt8 = 0) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}

/// The key with these bytes.
func key(_ bytes: [UInt8]) throws -> Key { try Key(copying: bytes.span.bytes) }

extension Key {
    /// The bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// Where they lie.
    borrowing func address() -> UInt { withBytes { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } } }
}

extension SecureBytes {
    /// The bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// Where they lie.
    borrowing func address() -> UInt { withBytes { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } } }

    /// Returns true if every byte is this one.
    borrowing func isFilled(with byte: UInt8) -> Bool {
        withBytes { $0.withUnsafeBytes { $0.allSatisfy { $0 == byte } } }
    }

    /// Makes every byte this one.
    mutating func fill(with byte: UInt8) {
        withMutableBytes { for place in $0.indices { $0[place] = byte } }
    }
}

/// Keeps what cannot be copied where only what can be may stay.
final class Holder {
    var bytes: SecureBytes
    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}
