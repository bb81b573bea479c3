public import Foundation
internal import KeyKit

/// A code that shows, with a key, that a message is authentic.
///
/// Comparing two codes takes a time that does not reveal where they differ.
public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
where Element == UInt8 {
    /// The number of bytes in the code.
    var byteCount: Int { get }
}

extension MessageAuthenticationCode {
    /// Returns an iterator over the bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { withUnsafeBytes { Array($0) }.makeIterator() }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Returns true if both codes have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { areEqual(left, right) }

    /// Returns true if the code has these bytes.
    public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left, data: right) }

    /// Returns true if the code does not have these bytes.
    public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !(left == right) }
}

/// A code that ``HMAC`` makes. It is in guarded memory, because ``HKDF`` makes keys out of one.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    private let secret: SharedSecretBytes

    init(_ key: SymmetricKey) { secret = key.secret }

    init(_ bytes: [UInt8]) { secret = SharedSecretBytes(copying: bytes.span.bytes) }

    /// The number of bytes in the code.
    public var byteCount: Int { H.Digest.byteCount }

    /// The number of bytes. The bytes are not shown, because they can be a key.
    public var description: String { "HMAC of \(byteCount) bytes" }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try secret.withUnsafeBytes(body)
    }
}

/// A message authentication code with a hash function.
///
/// ```swift
/// let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
/// let isAuthentic = HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
/// ```
public struct HMAC<H: HashFunction>: Sendable {
    /// The type of the key.
    public typealias Key = SymmetricKey
    /// The type of the code.
    public typealias MAC = HashedAuthenticationCode<H>

    private final class Running: @unchecked Sendable {  // changed only while a single value has it
        var code: RunningMAC
        init(_ code: consuming RunningMAC) { self.code = code }
    }

    private var running: Running

    /// Creates a code with this key, for a message that comes in parts.
    public init(key: SymmetricKey) {
        running = key.withUnsafeBytes { key in
            Running(withoutFail { () throws(KeyError) in try RunningMAC(H.knownAlgorithm, key: key.bytes) })
        }
    }

    /// Adds a part of the message.
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions { region.withUnsafeBytes { add($0.bytes) } }
    }

    private mutating func add(_ part: RawSpan) {
        if !isKnownUniquelyReferenced(&running) { running = Running(copy()) }
        withoutFail { () throws(KeyError) in try running.code.add(part) }
    }

    private func copy() -> RunningMAC { withoutFail { () throws(KeyError) in try running.code.copy() } }

    /// Returns the code of the message so far. You can go on afterwards.
    public func finalize() -> MAC {
        MAC(withoutFail { () throws(KeyError) in try running.code.copy().finish() })
    }

    /// Returns the code of a message.
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
        var code = HMAC(key: key)
        code.update(data: data)
        return code.finalize()
    }

    /// Returns true if `code` is the code of the message.
    public static func isValidAuthenticationCode<D: DataProtocol>(
        _ code: MAC, authenticating data: D, using key: SymmetricKey
    ) -> Bool {
        authenticationCode(for: data, using: key) == code
    }

    /// Returns true if these bytes are the code of the message.
    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ code: C, authenticating data: D, using key: SymmetricKey
    ) -> Bool {
        areEqual(authenticationCode(for: data, using: key), code)
    }

    /// Returns true if `code` is the code of these bytes.
    public static func isValidAuthenticationCode(
        _ code: MAC, authenticating bufferPointer: UnsafeRawBufferPointer, using key: SymmetricKey
    ) -> Bool {
        var expected = HMAC(key: key)
        expected.add(bufferPointer.bytes)
        return expected.finalize() == code
    }
}
