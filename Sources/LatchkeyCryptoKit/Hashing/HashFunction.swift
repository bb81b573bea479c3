public import Foundation
internal import KeyKit

/// A function that makes a digest of data.
///
/// ``HMAC``, ``HKDF`` and ``SharedSecret`` work with the functions of this module, and end the program for one of your
/// own.
public protocol HashFunction: Sendable {
    /// The number of bytes that the function takes in at once.
    static var blockByteCount: Int { get }
    /// The type of the digest.
    associatedtype Digest: LatchkeyCryptoKit.Digest

    /// Creates a function that has taken in nothing.
    init()

    /// Takes in a part of the data.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// Returns the digest of the data so far. You can go on afterwards.
    func finalize() -> Digest
}

extension HashFunction {
    /// The number of bytes in the digest.
    public static var byteCount: Int { Digest.byteCount }

    /// Returns the digest of `data`.
    public static func hash<D: DataProtocol>(data: D) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Returns the digest of these bytes.
    public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
        var function = Self()
        function.update(bufferPointer: bufferPointer)
        return function.finalize()
    }

    /// Takes in a part of the data.
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions { region.withUnsafeBytes { update(bufferPointer: $0) } }
    }
}

/// A hash function of this module, which OpenSSL computes.
protocol KnownHashFunction: HashFunction where Digest: KnownDigest {
    static var algorithm: DigestAlgorithm { get }
    var running: SharedDigest { get set }
}

extension KnownHashFunction {
    /// Takes in a part of the data.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { running.add(bufferPointer.bytes) }

    /// Returns the digest of the data so far. You can go on afterwards.
    public func finalize() -> Digest { Digest(running.finish()) }
}

extension HashFunction {
    /// The algorithm that OpenSSL computes.
    static var knownAlgorithm: DigestAlgorithm {
        guard let known = self as? any KnownHashFunction.Type else {
            preconditionFailure("this works with the hash functions of LatchkeyCryptoKit only")
        }
        return known.algorithm
    }
}

/// A running digest. Copies of the value go on separately.
struct SharedDigest: Sendable {
    private final class Running: @unchecked Sendable {  // changed only while a single value has it
        var digest: RunningDigest
        init(_ digest: consuming RunningDigest) { self.digest = digest }
    }

    private var running: Running

    init(_ algorithm: DigestAlgorithm) {
        running = Running(withoutFail { () throws(KeyError) in try RunningDigest(algorithm) })
    }

    private func copy() -> RunningDigest { withoutFail { () throws(KeyError) in try running.digest.copy() } }

    mutating func add(_ part: RawSpan) {
        if !isKnownUniquelyReferenced(&running) { running = Running(copy()) }
        withoutFail { () throws(KeyError) in try running.digest.add(part) }
    }

    func finish() -> [UInt8] {
        withoutFail { () throws(KeyError) in try running.digest.copy().finish() }
    }
}
