internal import COpenSSL
internal import SodiumKit

/// An HMAC of data that comes in parts. OpenSSL wipes its state when its life ends.
public struct RunningMAC: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    private let pointer: OpaquePointer
    private let count: Int

    deinit { EVP_MAC_CTX_free(pointer) }

    /// Starts an HMAC with this key, which can have any length.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public init(_ algorithm: DigestAlgorithm, key: RawSpan) throws(KeyError) {
        pointer = try OpenSSL.perform { (context) throws(KeyError) in
            guard let function = EVP_MAC_fetch(context, "HMAC", nil) else { throw .unavailable }
            defer { EVP_MAC_free(function) }
            guard let made = EVP_MAC_CTX_new(function) else { throw .unavailable }
            var parameters = Parameters()
            parameters.add("digest", algorithm.name)
            let isReady = parameters.withPointer { parameters in
                key.withPointer { EVP_MAC_init(made, $0, key.byteCount, parameters) == 1 }
            }
            guard isReady else {
                EVP_MAC_CTX_free(made)
                throw .unavailable
            }
            return made
        }
        count = algorithm.digestCount
    }

    private init(copying other: borrowing RunningMAC) throws(KeyError) {
        let original = other.pointer
        pointer = try OpenSSL.perform { (_) throws(KeyError) in
            guard let made = EVP_MAC_CTX_dup(original) else { throw .unavailable }
            return made
        }
        count = other.count
    }

    /// Returns an HMAC of the same data, which goes on separately.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public borrowing func copy() throws(KeyError) -> RunningMAC { try RunningMAC(copying: self) }

    /// Adds a part.
    ///
    /// - Throws: ``KeyError/unavailable``, which OpenSSL never causes here.
    public mutating func add(_ part: RawSpan) throws(KeyError) {
        let pointer = pointer
        try OpenSSL.perform { (_) throws(KeyError) in
            guard part.withPointer({ EVP_MAC_update(pointer, $0, part.byteCount) }) == 1 else { throw .unavailable }
        }
    }

    /// Returns the code.
    ///
    /// - Throws: ``KeyError/unavailable``, which OpenSSL never causes here.
    public consuming func finish() throws(KeyError) -> [UInt8] {
        let (pointer, count) = (pointer, count)
        return try OpenSSL.perform { (_) throws(KeyError) in
            var code = [UInt8](repeating: 0, count: count)
            guard EVP_MAC_final(pointer, &code, nil, count) == 1 else { throw .unavailable }
            return code
        }
    }
}
