internal import KeyKit
internal import SodiumKit

/// The protection of secrets on their way over the bus.
enum SessionCipher: Sendable {
    /// None: the bytes themselves.
    case plain
    /// AES with a key that the two ends have agreed on.
    case encrypted(SessionKey)

    /// The names of the two, as the specification has them.
    static let plainName = "plain"
    static let encryptedName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// A secret as it goes over the bus.
    struct Sealed: Sendable {
        var parameters: [UInt8]
        var ciphertext: Ciphertext

        enum Ciphertext: Sendable {
            case encrypted([UInt8])
            case plain(HandedSecret)
        }
    }

    func seal(_ secret: HandedSecret) throws(KeyError) -> Sealed {
        switch self {
        case .plain: return Sealed(parameters: [], ciphertext: .plain(secret))
        case .encrypted(let key):
            let vector = Sodium.randomBytes(AES128CBC.count)
            let box = try key.bytes.withBytes { (key) throws(KeyError) in
                try secret.bytes.withBytes { (message) throws(KeyError) in
                    try AES128CBC.encrypt(message, key: key, vector: vector.span.bytes)
                }
            }
            return Sealed(parameters: vector, ciphertext: .encrypted(box))
        }
    }

    /// Returns the secret that a client has sent.
    func open(_ ciphertext: RawSpan, parameters: [UInt8]) throws(KeyError) -> SecureBytes {
        switch self {
        case .plain:
            do { return try SecureBytes(copying: ciphertext) } catch { throw .memory(error) }
        case .encrypted(let key):
            return try key.bytes.withBytes { (key) throws(KeyError) in
                try AES128CBC.decrypt(ciphertext, key: key, vector: parameters.span.bytes)
            }
        }
    }
}

/// The key of a session, which is wiped with the last reference.
final class SessionKey: Sendable {
    let bytes: SecureBytes

    /// Agrees on a key with the other end. Returns the public key for it too.
    static func agree(with other: RawSpan) throws(KeyError) -> (key: SessionKey, publicKey: [UInt8]) {
        let own = try SecondOakleyKey()
        let shared = try own.sharedSecret(with: other)
        let key = try shared.withBytes { (shared) throws(KeyError) in
            SessionKey(try HKDFFunction.derive(.both, AES128CBC.count, from: shared, .standard(.sha256)))
        }
        return (key, own.publicKey)
    }

    private init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}
