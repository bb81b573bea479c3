import SodiumKit

// Helpers for the tests in this folder.

/// Returns the bytes of these hexadecimal digits. Other characters are ignored.
func bytes(hex text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Returns `count` bytes: `first`, `first + 1` and so on.
func counting(_ count: Int, from first: UInt8 = 0) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}

/// Returns a key with these bytes.
func key(_ bytes: [UInt8]) throws -> Key { try Key(copying: bytes.span.bytes) }

extension Key {
    /// Returns the bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// Returns the address of the bytes.
    borrowing func address() -> UInt { withBytes { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } } }
}

extension SecureBytes {
    /// Returns the bytes, for comparing.
    borrowing func array() -> [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// Returns the address of the bytes.
    borrowing func address() -> UInt { withBytes { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } } }

    /// Returns true if every byte is this one.
    borrowing func isFilled(with byte: UInt8) -> Bool {
        withBytes { $0.withUnsafeBytes { $0.allSatisfy { $0 == byte } } }
    }

    /// Sets every byte to this one.
    mutating func fill(with byte: UInt8) {
        withMutableBytes { for place in $0.indices { $0[place] = byte } }
    }
}

/// Holds a noncopyable value, for places that accept only copyable ones.
final class Holder {
    var bytes: SecureBytes
    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}
