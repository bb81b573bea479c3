public import Foundation
internal import SodiumKit

/// The size of a symmetric key.
public struct SymmetricKeySize: Sendable {
    /// The number of bits.
    public let bitCount: Int

    /// 128 bits.
    public static var bits128: SymmetricKeySize { SymmetricKeySize(bitCount: 128) }
    /// 192 bits.
    public static var bits192: SymmetricKeySize { SymmetricKeySize(bitCount: 192) }
    /// 256 bits.
    public static var bits256: SymmetricKeySize { SymmetricKeySize(bitCount: 256) }

    /// Creates a size of whole bytes.
    public init(bitCount: Int) {
        precondition(bitCount > 0 && bitCount % 8 == 0, "a symmetric key has a positive number of whole bytes")
        self.bitCount = bitCount
    }
}

/// A key for a cipher, an authentication code or a key derivation.
///
/// The key is in guarded memory, which is wiped when the last copy of the value is gone. Comparing two keys takes a time
/// that does not reveal where they differ.
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    let secret: SharedSecretBytes

    init(_ bytes: consuming SecureBytes) { secret = SharedSecretBytes(bytes) }

    /// Generates a random key.
    public init(size: SymmetricKeySize) {
        var bytes = guarding { () throws(SodiumError) in
            try Sodium.start()
            return try SecureBytes(count: size.bitCount / 8)
        }
        bytes.withMutableBytes { Sodium.fillRandomly($0) }
        self.init(bytes)
    }

    /// Creates a key with a copy of these bytes. Wipe the original yourself.
    public init<D: ContiguousBytes>(data: D) {
        secret = data.withUnsafeBytes { SharedSecretBytes(copying: $0.bytes) }
    }

    /// The number of bits.
    public var bitCount: Int { secret.bytes.count * 8 }

    /// Lends the bytes of the key to `body`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try secret.withUnsafeBytes(body)
    }

    /// Returns true if both keys have the same bytes.
    public static func == (left: SymmetricKey, right: SymmetricKey) -> Bool { left.secret.equals(right.secret) }
}
