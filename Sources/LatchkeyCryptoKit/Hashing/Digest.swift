public import Foundation
internal import SodiumKit

/// The result of a hash function.
///
/// Comparing two digests takes a time that does not reveal where they differ.
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
    /// The number of bytes in the digest.
    static var byteCount: Int { get }
}

extension Digest {
    /// Returns an iterator over the bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { withUnsafeBytes { Array($0) }.makeIterator() }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Returns true if both digests have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { areEqual(left, right) }

    /// Returns true if the digest has these bytes.
    public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left, data: right) }

    /// Returns true if the digest does not have these bytes.
    public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !(left == right) }
}

/// A digest of one of this module's functions.
protocol KnownDigest: Digest {
    /// The name of the function, for the description.
    static var name: StaticString { get }
    var bytes: [UInt8] { get }
    init(_ bytes: [UInt8])
}

extension KnownDigest {
    /// The name of the function and the bytes in hexadecimal digits.
    public var description: String { "\(Self.name) digest: \(hexadecimal(bytes))" }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

/// The digest of ``SHA256``.
public struct SHA256Digest: KnownDigest {
    static let name: StaticString = "SHA256"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 32 }
}

/// The digest of ``SHA384``.
public struct SHA384Digest: KnownDigest {
    static let name: StaticString = "SHA384"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 48 }
}

/// The digest of ``SHA512``.
public struct SHA512Digest: KnownDigest {
    static let name: StaticString = "SHA512"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 64 }
}

extension Insecure {
    /// The digest of ``Insecure/SHA1``.
    public struct SHA1Digest: KnownDigest {
        static let name: StaticString = "SHA1"
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        /// The number of bytes in the digest.
        public static var byteCount: Int { 20 }
    }

    /// The digest of ``Insecure/MD5``.
    public struct MD5Digest: KnownDigest {
        static let name: StaticString = "MD5"
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        /// The number of bytes in the digest.
        public static var byteCount: Int { 16 }
    }
}
