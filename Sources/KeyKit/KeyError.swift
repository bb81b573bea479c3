public import SodiumKit

/// An error of an operation on keys and certificates. No case tells an attacker why a message did not decrypt.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not valid in this format.
    case malformed(KeyFormat)
    /// The point is not on its curve, or is the point at infinity.
    case invalidPoint
    /// The numbers of an RSA key do not fit each other, or the private half does not belong to the public half.
    case invalidKey
    /// The key is of a type that KeyKit does not support.
    case unsupportedType
    /// The key is protected by a passphrase.
    case encryptedKey
    /// Keys of this type do not support the scheme.
    case unsupportedScheme(KeyType)
    /// The digest does not have the length that the scheme needs.
    case wrongDigestLength(expected: Int, actual: Int)
    /// The input is longer than the operation accepts. `limit` is in bytes.
    case inputTooLong(limit: Int)
    /// The input is empty or, as a number, not below the modulus.
    case inputOutOfRange
    /// The requested size is not possible. `size` is in bytes.
    case invalidSize(Int)
    /// The keys of an agreement are on different curves.
    case differentCurves
    /// The message does not decrypt: it was changed, or encrypted for another key or with other parameters.
    case cannotDecrypt
    /// The passphrase of an archive is wrong, or the archive was changed.
    case wrongPassphrase
    /// The archive demands more than `limit` rounds of key stretching.
    case tooManyIterations(limit: Int)
    /// No guarded memory is left.
    case memory(SodiumError)
    /// OpenSSL could not start, or failed for a reason outside the input.
    case unavailable

    /// The reason for the error, and what to do.
    public var description: String {
        switch self {
        case .malformed(let format): "These bytes are not \(format). Check that the file is complete."
        case .invalidPoint: "The public key is not a point on its curve. Export it again from its source."
        case .invalidKey: "The parts of this key do not belong together. Export it again from its source."
        case .unsupportedType:
            "This type of key is not supported. Use Ed25519, P-256, P-384, P-521, or RSA from 2048 to 4096 bits."
        case .encryptedKey:
            """
            The key is protected by a passphrase. Remove it from a copy in memory, such as /dev/shm/key: \
            `ssh-keygen -p -N '' -f COPY`, or `openssl pkcs8`. Import the copy, and delete it.
            """
        case .unsupportedScheme(let type): "A \(type) key does not support this scheme. Choose another scheme or key."
        case .wrongDigestLength(let expected, let actual):
            "The digest has \(actual) bytes, but the scheme needs \(expected). Pass the digest of the scheme's hash."
        case .inputTooLong(let limit): "The input is longer than \(limit) bytes. Split it, or choose another scheme."
        case .inputOutOfRange: "The input is empty, or not below the modulus of the key. Choose a scheme with padding."
        case .invalidSize(let size): "A size of \(size) bytes is not possible here. Choose another size."
        case .differentCurves: "The two keys are on different curves. Use two keys of the same type."
        case .cannotDecrypt:
            """
            The message does not decrypt. It was changed, or encrypted for another key or with another algorithm. \
            Compare the key and the algorithm with the sender's.
            """
        case .wrongPassphrase:
            "The passphrase is wrong, or the archive was changed. Try again, or export the archive again."
        case .tooManyIterations(let limit):
            "The archive demands more than \(limit) rounds of key stretching. Export it again with fewer."
        case .memory(let error): "There is no guarded memory for the key: \(error)."
        case .unavailable: "OpenSSL could not do this. Check that the package libssl3 is complete and memory is left."
        }
    }
}

/// The formats in which keys and certificates come.
public enum KeyFormat: CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The external representation of a key on a curve: 04, X and Y, and K for a private key. Or the 32 or
    /// 64 bytes of a key of Ed25519.
    case point
    /// PKCS#1, the external representation of an RSA key.
    case pkcs1
    /// SubjectPublicKeyInfo, the public key in X.509.
    case subjectPublicKeyInfo
    /// PKCS#8, the private key of any type.
    case pkcs8
    /// SEC 1, the private key on a curve.
    case sec1
    /// The format of OpenSSH's private keys.
    case openSSH
    /// Base64 between lines that begin and end it.
    case pem
    /// An X.509 certificate in DER.
    case certificate
    /// A PKCS#12 archive.
    case pkcs12
    /// A signature of two numbers in DER.
    case signature
    /// A private key that a vault has sealed.
    case sealedKey

    /// The format with its article.
    public var description: String {
        switch self {
        case .point: "a key in the form 04, X, Y, and no key of Ed25519"
        case .pkcs1: "a PKCS#1 key"
        case .subjectPublicKeyInfo: "a SubjectPublicKeyInfo"
        case .pkcs8: "a PKCS#8 key"
        case .sec1: "a SEC 1 key"
        case .openSSH: "a private key of OpenSSH"
        case .pem: "a key in PEM"
        case .certificate: "a certificate in DER"
        case .pkcs12: "a PKCS#12 archive"
        case .signature: "an ECDSA signature"
        case .sealedKey: "a private key that this device has sealed"
        }
    }
}

extension KeyError {
    /// Runs `body`, and throws its error of guarded memory as a ``KeyError``.
    static func guarding<Result: ~Copyable>(
        _ body: @autoclosure () throws(SodiumError) -> Result
    ) throws(KeyError) -> Result {
        do { return try body() } catch { throw .memory(error) }
    }
}
