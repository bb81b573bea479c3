internal import COpenSSL
internal import SodiumKit

/// The hash functions of signatures, key derivation and OAEP.
public enum HashAlgorithm: CaseIterable, Hashable, Sendable {
    /// SHA-1, for fingerprints and old peers. It does not resist collisions.
    case sha1
    /// SHA-224.
    case sha224
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The number of bytes in a digest.
    public var digestCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The name that OpenSSL uses.
    var name: StaticString {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }

    /// Returns the digest of `bytes`.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public func digest(of bytes: RawSpan) throws(KeyError) -> [UInt8] {
        try OpenSSL.perform { (context) throws(KeyError) in
            guard let function = EVP_MD_fetch(context, name.characters, nil) else { throw .unavailable }
            defer { EVP_MD_free(function) }
            var isDone = false
            let digest = [UInt8](unsafeUninitializedCapacity: digestCount) { buffer, filled in
                isDone =
                    bytes.withPointer {
                        EVP_Digest($0, bytes.byteCount, buffer.baseAddress, nil, function, nil)
                    } == 1
                filled = isDone ? digestCount : 0
            }
            guard isDone else { throw .unavailable }
            return digest
        }
    }
}
