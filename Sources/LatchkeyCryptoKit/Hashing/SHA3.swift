// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeyKit

/// SHA3-256.
public struct SHA3_256: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA3_256Digest
    static let algorithm = DigestAlgorithm.sha3_256
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 136 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// SHA3-384.
public struct SHA3_384: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA3_384Digest
    static let algorithm = DigestAlgorithm.sha3_384
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 104 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// SHA3-512.
public struct SHA3_512: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA3_512Digest
    static let algorithm = DigestAlgorithm.sha3_512
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 72 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// The digest of ``SHA3_256``.
public struct SHA3_256Digest: KnownDigest {
    static let name: StaticString = "SHA3_256"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 32 }
}

/// The digest of ``SHA3_384``.
public struct SHA3_384Digest: KnownDigest {
    static let name: StaticString = "SHA3_384"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 48 }
}

/// The digest of ``SHA3_512``.
public struct SHA3_512Digest: KnownDigest {
    static let name: StaticString = "SHA3_512"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// The number of bytes in the digest.
    public static var byteCount: Int { 64 }
}
