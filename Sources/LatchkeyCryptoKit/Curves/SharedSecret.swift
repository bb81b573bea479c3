public import Foundation
internal import KeyKit
internal import SodiumKit

/// The secret that two parties of a key agreement share.
///
/// Derive a key from it before you use it. The secret is in guarded memory. Comparing two takes a time that does not
/// reveal where they differ.
public struct SharedSecret: ContiguousBytes, Hashable, CustomStringConvertible, Sendable {
    private let secret: SharedSecretBytes

    init(_ bytes: consuming SecureBytes) { secret = SharedSecretBytes(bytes) }

    init(copying bytes: RawSpan) { secret = SharedSecretBytes(copying: bytes) }

    /// The number of bytes. The secret is not shown.
    public var description: String { "SharedSecret of \(secret.bytes.count) bytes" }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try secret.withUnsafeBytes(body)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// Returns true if both secrets have the same bytes.
    public static func == (left: SharedSecret, right: SharedSecret) -> Bool { left.secret.equals(right.secret) }

    /// Returns true if the secret has these bytes.
    public static func == <D: DataProtocol>(left: SharedSecret, right: D) -> Bool { areEqual(left, data: right) }

    /// Returns true if the secret does not have these bytes.
    public static func != <D: DataProtocol>(left: SharedSecret, right: D) -> Bool { !(left == right) }

    /// Derives a key with ``HKDF``.
    public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
        using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<H>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: self), salt: salt, info: sharedInfo, outputByteCount: outputByteCount)
    }

    /// Derives a key with the derivation of ANSI X9.63. A key can have at most one mebibyte; asking for a longer one
    /// ends the program.
    public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
        using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        if outputByteCount == 0 { return SymmetricKey(data: [UInt8]()) }
        return sharedInfo.withSpan { info in
            SymmetricKey(
                withoutFail { () throws(KeyError) in
                    try X963.derive(outputByteCount, from: secret.bytes, info: info, H.knownAlgorithm)
                })
        }
    }
}

/// A private key that agrees with public keys on secrets.
public protocol DiffieHellmanKeyAgreement {
    /// The type of the public keys.
    associatedtype PublicKey
    /// The public half.
    var publicKey: PublicKey { get }

    /// Returns the secret that this key and the owner of the other private key share.
    func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret
}
