// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// Returns the public key of a private key, or a public key itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.isPrivate ? SecKey(key.publicKey) : key }

/// Returns the size of a key in bytes: of a coordinate on an elliptic curve, or of an RSA modulus.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.publicKey.type.blockCount }

/// Returns the bytes of a key: the point of a key on an elliptic curve in the form 04, X and Y, with the scalar K after
/// it for a private key; PKCS #1 for RSA.
///
/// A private key in the Secure Enclave has no bytes to return: ``errSecUnimplemented``.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    reporting(error) { () throws(KeyFailure) in
        switch key.kind {
        case .publicKey(let key): CFData(data: Data(key.externalRepresentation))
        case .privateKey(let held): held.key.withExternalRepresentation { $0.forApps() }
        case .enclaveKey: throw .notExportable
        }
    }
}

/// Returns the attributes of a key, under the names of the keychain. Those of a key outside the Secure Enclave contain its
/// bytes.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    guard var attributes = key.attributes() else { return nil }
    switch key.kind {
    case .publicKey, .privateKey:
        attributes[kSecValueData as String] = SecKeyCopyExternalRepresentation(key, nil)
    case .enclaveKey(let reference): attributes[Attributes.tokenKey] = reference.token
    }
    return attributes
}

extension SecKey {
    /// Returns the attributes, with the values that Apple's system gives, and no bytes of the key. Returns nil if no
    /// memory is left.
    func attributes() -> [String: Any]? {
        guard let label = try? publicKey.fingerprint else { return nil }
        var attributes: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationLabel as String: Data(label),
        ]
        switch kind {
        case .publicKey: attributes.merge(heldAttributes(isPrivate: false)) { $1 }
        case .privateKey: attributes.merge(heldAttributes(isPrivate: true)) { $1 }
        case .enclaveKey(let reference): attributes.merge(reference.exportedAttributes) { $1 }
        }
        return attributes
    }

    /// Returns the attributes of a key whose bytes are here.
    private func heldAttributes(isPrivate: Bool) -> [String: Any] {
        let type = publicKey.type
        let size = NSNumber(value: type.bits)
        let isRSA = type.family == .rsa
        var attributes: [String: Any] = [
            kSecAttrKeyClass as String: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
            kSecAttrKeyType as String: type.family.name,
            kSecAttrKeySizeInBits as String: size,
            kSecAttrEffectiveKeySize as String: size,
        ]
        // Apple's keys say that they are permanent and private, whatever they are.
        let flags: [(CFString, Bool)] = [
            (kSecAttrIsPermanent, true), (kSecAttrIsPrivate, true), (kSecAttrIsModifiable, true),
            (kSecAttrIsSensitive, false), (kSecAttrWasAlwaysSensitive, false), (kSecAttrIsExtractable, true),
            (kSecAttrWasNeverExtractable, false), (kSecAttrCanEncrypt, !isPrivate),
            (kSecAttrCanDecrypt, isPrivate || isRSA), (kSecAttrCanDerive, isPrivate && !isRSA),
            (kSecAttrCanSign, isPrivate), (kSecAttrCanVerify, !isPrivate), (kSecAttrCanSignRecover, false),
            (kSecAttrCanVerifyRecover, false), (kSecAttrCanWrap, !isPrivate), (kSecAttrCanUnwrap, isPrivate),
        ]
        for (name, flag) in flags { attributes[name as String] = NSNumber(value: flag) }
        return attributes
    }

    /// Throws ``errSecUnimplemented`` if the bytes of the key cannot leave the Secure Enclave.
    func requireExportable() throws(KeyFailure) {
        switch kind {
        case .publicKey, .privateKey: return
        case .enclaveKey: throw .notExportable
        }
    }
}

extension KeyFailure {
    fileprivate static let notExportable = KeyFailure(
        errSecUnimplemented, "the bytes of a key in the Secure Enclave cannot leave it: pass on its public key")
}

extension KeyFamily {
    /// The constant for keys of the family, as attributes name it.
    fileprivate var name: CFString {
        switch self {
        case .ec: kSecAttrKeyTypeECSECPrimeRandom
        case .rsa: kSecAttrKeyTypeRSA
        case .ed25519: kSecAttrKeyTypeEd25519
        }
    }
}
