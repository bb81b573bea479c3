internal import COpenSSL
internal import SodiumKit

/// A digest of data that comes in parts. OpenSSL wipes its state when its life ends.
///
///     var digest = try RunningDigest(.standard(.sha256))
///     try digest.add(head.span.bytes)
///     try digest.add(body.span.bytes)
///     let bytes = try digest.finish()
public struct RunningDigest: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    private let pointer: OpaquePointer
    private let count: Int

    deinit { EVP_MD_CTX_free(pointer) }

    /// Starts a digest.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public init(_ algorithm: DigestAlgorithm) throws(KeyError) {
        pointer = try OpenSSL.perform { (context) throws(KeyError) in
            guard let function = EVP_MD_fetch(context, algorithm.name.characters, nil) else { throw .unavailable }
            defer { EVP_MD_free(function) }
            guard let made = EVP_MD_CTX_new() else { throw .unavailable }
            guard EVP_DigestInit_ex2(made, function, nil) == 1 else {
                EVP_MD_CTX_free(made)
                throw .unavailable
            }
            return made
        }
        count = algorithm.digestCount
    }

    private init(copying other: borrowing RunningDigest) throws(KeyError) {
        let original = other.pointer
        pointer = try OpenSSL.perform { (_) throws(KeyError) in
            guard let made = EVP_MD_CTX_new() else { throw .unavailable }
            guard EVP_MD_CTX_copy_ex(made, original) == 1 else {
                EVP_MD_CTX_free(made)
                throw .unavailable
            }
            return made
        }
        count = other.count
    }

    /// Returns a digest of the same data, which goes on separately.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public borrowing func copy() throws(KeyError) -> RunningDigest { try RunningDigest(copying: self) }

    /// Adds a part.
    ///
    /// - Throws: ``KeyError/unavailable``, which OpenSSL never causes here.
    public mutating func add(_ part: RawSpan) throws(KeyError) {
        let pointer = pointer
        try OpenSSL.perform { (_) throws(KeyError) in
            guard part.withPointer({ EVP_DigestUpdate(pointer, $0, part.byteCount) }) == 1 else { throw .unavailable }
        }
    }

    /// Returns the digest.
    ///
    /// - Throws: ``KeyError/unavailable``, which OpenSSL never causes here.
    public consuming func finish() throws(KeyError) -> [UInt8] {
        let (pointer, count) = (pointer, count)
        return try OpenSSL.perform { (_) throws(KeyError) in
            var digest = [UInt8](repeating: 0, count: count)
            guard EVP_DigestFinal_ex(pointer, &digest, nil) == 1 else { throw .unavailable }
            return digest
        }
    }
}
