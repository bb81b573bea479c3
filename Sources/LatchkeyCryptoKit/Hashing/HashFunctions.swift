internal import KeyKit

/// SHA-256.
public struct SHA256: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA256Digest
    static let algorithm = DigestAlgorithm.standard(.sha256)
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 64 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// SHA-384.
public struct SHA384: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA384Digest
    static let algorithm = DigestAlgorithm.standard(.sha384)
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 128 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// SHA-512.
public struct SHA512: KnownHashFunction {
    /// The digest of the function.
    public typealias Digest = SHA512Digest
    static let algorithm = DigestAlgorithm.standard(.sha512)
    var running = SharedDigest(algorithm)
    /// The number of bytes that the function takes in at once.
    public static var blockByteCount: Int { 128 }
    /// Creates a function that has taken in nothing.
    public init() {}
}

/// Hash functions whose collisions can be found. Use them only for formats and peers that demand them.
public enum Insecure: Sendable {
    /// SHA-1.
    public struct SHA1: KnownHashFunction {
        /// The digest of the function.
        public typealias Digest = SHA1Digest
        static let algorithm = DigestAlgorithm.standard(.sha1)
        var running = SharedDigest(algorithm)
        /// The number of bytes that the function takes in at once.
        public static var blockByteCount: Int { 64 }
        /// Creates a function that has taken in nothing.
        public init() {}
    }

    /// MD5.
    public struct MD5: KnownHashFunction {
        /// The digest of the function.
        public typealias Digest = MD5Digest
        static let algorithm = DigestAlgorithm.md5
        var running = SharedDigest(algorithm)
        /// The number of bytes that the function takes in at once.
        public static var blockByteCount: Int { 64 }
        /// Creates a function that has taken in nothing.
        public init() {}
    }
}
