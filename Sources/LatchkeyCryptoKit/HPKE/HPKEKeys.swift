public import Foundation

/// A public key that ``HPKE`` reads and writes.
public protocol HPKEPublicKeySerialization: Sendable {
    /// Reads and checks a key.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type, or an error of the key.
    init<D: ContiguousBytes>(_ serialization: D, kem: HPKE.KEM) throws

    /// Returns the bytes of the key.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type.
    func hpkeRepresentation(kem: HPKE.KEM) throws -> Data
}

/// A public key of a recipient, or of a sender who shows who they are.
public protocol HPKEDiffieHellmanPublicKey: HPKEPublicKeySerialization {
    /// The type of the private keys that are made for one sender.
    associatedtype EphemeralPrivateKey: HPKEDiffieHellmanPrivateKeyGeneration
    where EphemeralPrivateKey.PublicKey == Self
}

/// A private key of a recipient, or of a sender who shows who they are.
public protocol HPKEDiffieHellmanPrivateKey: DiffieHellmanKeyAgreement where PublicKey: HPKEDiffieHellmanPublicKey {}

/// A private key that can be generated for one sender.
public protocol HPKEDiffieHellmanPrivateKeyGeneration: HPKEDiffieHellmanPrivateKey {
    /// Generates a key.
    init()
}

/// A key on one of NIST's curves, with the only way to agree on a secret that is for it.
protocol NISTMessageKey: NISTPublicKey, HPKEDiffieHellmanPublicKey {
    static var kem: HPKE.KEM { get }
}

extension NISTMessageKey {
    /// Reads and checks a key of 04, X and Y.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type, or an error of the key.
    public init<D: ContiguousBytes>(_ serialization: D, kem: HPKE.KEM) throws {
        guard kem == Self.kem else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(x963Representation: serialization)
    }

    /// Returns the point: 04, X and Y.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == Self.kem else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return x963Representation
    }
}

extension P256.KeyAgreement.PublicKey: NISTMessageKey {
    /// The type of the private keys that are made for one sender.
    public typealias EphemeralPrivateKey = P256.KeyAgreement.PrivateKey
    static var kem: HPKE.KEM { .P256_HKDF_SHA256 }
}

extension P384.KeyAgreement.PublicKey: NISTMessageKey {
    /// The type of the private keys that are made for one sender.
    public typealias EphemeralPrivateKey = P384.KeyAgreement.PrivateKey
    static var kem: HPKE.KEM { .P384_HKDF_SHA384 }
}

extension P521.KeyAgreement.PublicKey: NISTMessageKey {
    /// The type of the private keys that are made for one sender.
    public typealias EphemeralPrivateKey = P521.KeyAgreement.PrivateKey
    static var kem: HPKE.KEM { .P521_HKDF_SHA512 }
}

extension Curve25519.KeyAgreement.PublicKey: HPKEDiffieHellmanPublicKey {
    /// The type of the private keys that are made for one sender.
    public typealias EphemeralPrivateKey = Curve25519.KeyAgreement.PrivateKey

    /// Takes the 32 bytes of a key.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type, or
    ///   ``CryptoKitError/incorrectKeySize``.
    public init<D: ContiguousBytes>(_ serialization: D, kem: HPKE.KEM) throws {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        try self.init(rawRepresentation: serialization)
    }

    /// Returns the 32 bytes of the key.
    ///
    /// - Throws: ``HPKE/Errors/inconsistentCiphersuiteAndKey`` if `kem` is for keys of another type.
    public func hpkeRepresentation(kem: HPKE.KEM) throws -> Data {
        guard kem == .Curve25519_HKDF_SHA256 else { throw HPKE.Errors.inconsistentCiphersuiteAndKey }
        return rawRepresentation
    }
}

extension P256.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {
    /// Generates a key.
    public init() { self.init(compactRepresentable: true) }
}

extension P384.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {
    /// Generates a key.
    public init() { self.init(compactRepresentable: true) }
}

extension P521.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {
    /// Generates a key.
    public init() { self.init(compactRepresentable: true) }
}

extension Curve25519.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKeyGeneration {}

// A key of the enclave receives messages, or shows who sends them. None is made for one sender.
extension SecureEnclave.P256.KeyAgreement.PrivateKey: HPKEDiffieHellmanPrivateKey {}
