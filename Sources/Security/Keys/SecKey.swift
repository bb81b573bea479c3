// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeyKit
internal import Latchkey

/// A cryptographic key: a public key, a private key in guarded memory, or a reference to a private key in the Secure
/// Enclave.
///
/// ```swift
/// let attributes: [CFString: Any] = [
///     kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
///     kSecAttrKeySizeInBits: 256,
/// ]
/// guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else { return }
/// let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil)
/// ```
public final class SecKey: Hashable, Sendable {
    enum Kind: Sendable {
        case publicKey(PublicKey)
        case privateKey(HeldKey)
        case enclaveKey(EnclaveReference)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    convenience init(_ key: PublicKey) { self.init(.publicKey(key)) }

    convenience init(_ key: consuming PrivateKey) { self.init(.privateKey(HeldKey(key))) }

    /// The public key, or the public half of a private key.
    var publicKey: PublicKey {
        switch kind {
        case .publicKey(let key): key
        case .privateKey(let held): held.key.publicKey
        case .enclaveKey(let reference): reference.key.publicKey
        }
    }

    /// True for a private key of either kind.
    var isPrivate: Bool {
        switch kind {
        case .publicKey: false
        case .privateKey, .enclaveKey: true
        }
    }

    /// Returns true if both are the same key. A private key never equals its public key.
    public static func == (left: SecKey, right: SecKey) -> Bool {
        switch (left.kind, right.kind) {
        case (.publicKey(let left), .publicKey(let right)): left == right
        case (.privateKey(let left), .privateKey(let right)): left.key.publicKey == right.key.publicKey
        case (.enclaveKey(let left), .enclaveKey(let right)): left.key == right.key
        case (.publicKey, _), (.privateKey, _), (.enclaveKey, _): false
        }
    }

    /// Hashes the public key.
    public func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}

/// A private key in guarded memory that several objects can share.
final class HeldKey: Sendable {
    let key: PrivateKey

    init(_ key: consuming PrivateKey) { self.key = key }
}

/// Returns the type identifier of `SecKey`.
public func SecKeyGetTypeID() -> CFTypeID { 301 }
