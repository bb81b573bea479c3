// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import Latchkey

/// Generates a private key with its public key.
///
/// The dictionary has ``kSecAttrKeyType`` and ``kSecAttrKeySizeInBits``, and attributes for the keychain. Those in
/// ``kSecPrivateKeyAttrs`` and ``kSecPublicKeyAttrs`` are for one of the two keys. Each key that
/// ``kSecAttrIsPermanent`` makes permanent is stored in the keychain. Without it, only a private key in the Secure
/// Enclave is stored.
///
/// - Returns: The private key; nil if it fails, with the reason in `error`.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    reporting(.generateKey, to: CurrentKeychain.known?.keychain, about: subject(of: parameters), error) {
        () throws(KeyFailure) in
        try KeyRequest(parameters).generate()
    }
}

/// Generates a private key with its public key. Deprecated by Apple: use ``SecKeyCreateRandomKey(_:_:)``.
///
/// - Returns: ``errSecSuccess``, or the reason for the failure.
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    var error: Unmanaged<CFError>?
    guard let key = SecKeyCreateRandomKey(parameters, &error) else {
        return error.map { OSStatus(truncatingIfNeeded: $0.takeRetainedValue().code) } ?? errSecParam
    }
    privateKey?.pointee = key
    publicKey?.pointee = SecKeyCopyPublicKey(key)
    return errSecSuccess
}

/// The attributes of a key to generate.
struct KeyRequest {
    let parameters: CFDictionary
    /// The attributes of each key in the keychain. Those of the key itself take precedence over the common ones.
    private let ofPublicKey: CFDictionary
    private let ofPrivateKey: CFDictionary

    init(_ parameters: CFDictionary) throws(KeyFailure) {
        self.parameters = parameters
        ofPublicKey = try parameters.merged(into: kSecPublicKeyAttrs)
        ofPrivateKey = try parameters.merged(into: kSecPrivateKeyAttrs)
    }

    /// Generates the key and stores what is permanent.
    func generate() throws(KeyFailure) -> SecKey {
        if let token = parameters.value(under: kSecAttrTokenID) { return try generateInEnclave(token) }
        let type = try KeyType(of: parameters)
        let key = SecKey(
            try onKey(type == .oldRSA ? PrivateKey.generateOldRSA() : PrivateKey.generate(type)))
        if isPublicKeyPermanent { try store(SecKey(key.publicKey), ofPublicKey) }
        if isPrivateKeyPermanent { try store(key, ofPrivateKey) }
        return key
    }

    /// Generates the key in the Secure Enclave and stores what is permanent.
    private func generateInEnclave(_ token: Any) throws(KeyFailure) -> SecKey {
        guard text(token) == kSecAttrTokenIDSecureEnclave as String else {
            throw KeyFailure(errSecItemNotFound, "there is no token but the Secure Enclave")
        }
        let item = try EnclaveItem(
            generatedBy: parameters.overriding(kSecPrivateKeyAttrs), storedWith: ofPrivateKey.storable)
        let keychain = try onStatus(currentKeychain(for: .generateKey))
        let reference = try item.generate(on: keychain, isPermanent: isPrivateKeyPermanent)
        let key = SecKey(.enclaveKey(reference))
        if isPublicKeyPermanent {
            var attributes = ofPublicKey
            attributes[kSecAttrTokenID as String] = nil
            do {
                try store(SecKey(key.publicKey), attributes)
            } catch {
                // The app has to know what failed, also if the private key cannot be deleted again.
                reference.forget()
                throw error
            }
        }
        return key
    }

    private var isPublicKeyPermanent: Bool { ofPublicKey.flag(kSecAttrIsPermanent) ?? false }

    private var isPrivateKeyPermanent: Bool {
        ofPrivateKey.flag(kSecAttrIsPermanent) ?? (ofPrivateKey.value(under: kSecAttrTokenID) != nil)
    }

    private func store(_ key: SecKey, _ attributes: CFDictionary) throws(KeyFailure) {
        var item = attributes.storable
        item[kSecValueRef as String] = key
        let query = try onStatus(Query(reading: item, isNew: true))
        _ = try onStatus(query.store(on: currentKeychain(for: .generateKey)))
    }
}

extension KeyType {
    /// The sizes that Apple's keys have, and the keys here do not.
    private static let otherCurves: Set<Int> = [192, 224]
    private static let otherModuli = 512...8192
    /// The size that old apps and their tests still generate.
    fileprivate static let oldRSA = KeyType.rsa(bits: KeyType.oldRSASize)

    /// Reads the type of a key that is generated outside the Secure Enclave.
    fileprivate init(of parameters: CFDictionary) throws(KeyFailure) {
        guard let name = parameters.value(under: kSecAttrKeyType).flatMap(text) else {
            throw KeyFailure(errSecParam, "\(kSecAttrKeyType) is missing, or is no text")
        }
        let family = try KeyFamily(type: Int64(name) ?? -1, isPrivate: true)
        let bits = parameters.size ?? 0
        let known: KeyType?
        let isApples: Bool
        switch family {
        case .ec where name == kSecAttrKeyTypeECSECPrimeRandom as String:
            known = Curve.allCases.first { $0.bits == bits }.map { .ec($0) }
            isApples = Self.otherCurves.contains(bits)
        case .rsa:
            let sizes = KeyType.generatedRSASizes + [KeyType.oldRSASize]
            known = sizes.contains(bits) ? .rsa(bits: bits) : nil
            isApples = Self.otherModuli.contains(bits)
        case .ec, .ed25519: throw KeyFailure(errSecParam, "\(kSecAttrKeyType) takes one of kSecAttrKeyType…")
        }
        guard let known else {
            throw KeyFailure(
                isApples ? errSecUnimplemented : errSecParam, "keys of \(bits) bits cannot be generated for this type")
        }
        self = known
    }
}

extension CFDictionary {
    /// Returns the attributes in the dictionary under `key`, and those of this dictionary that are missing there.
    fileprivate func merged(into key: CFString) throws(KeyFailure) -> CFDictionary {
        var merged = try inner(key)
        merged.merge(self) { inner, _ in inner }
        for name in [kSecPublicKeyAttrs, kSecPrivateKeyAttrs, kSecAttrKeyType, kSecAttrKeySizeInBits] {
            merged[name as String] = nil
        }
        return merged
    }

    /// Returns the attributes of this dictionary, and those in the dictionary under `key` that are missing here.
    fileprivate func overriding(_ key: CFString) throws(KeyFailure) -> CFDictionary {
        var merged = try inner(key)
        merged.merge(self) { $1 }
        for name in [kSecPublicKeyAttrs, kSecPrivateKeyAttrs] { merged[name as String] = nil }
        return merged
    }

    private func inner(_ key: CFString) throws(KeyFailure) -> CFDictionary {
        guard let value = value(under: key) else { return [:] }
        // A cast of Foundation's dictionary would not end if it contains itself.
        if type(of: value) is NSDictionary.Type, let inner = value as? NSDictionary { return inner.entries }
        guard let inner = value as? CFDictionary else { throw KeyFailure(errSecParam, "\(key) takes a dictionary") }
        return inner
    }

    /// The attributes without those that only a key has and no item.
    fileprivate var storable: CFDictionary {
        var storable = self
        for name in [kSecKeyApplePayEnabled, kSecKeyOSBound, kSecKeySealedHashesBound] {
            storable[name as String] = nil
        }
        return storable
    }

    /// Returns the Boolean under this key; nil for anything else, also a number.
    fileprivate func flag(_ key: CFString) -> Bool? { value(under: key).flatMap(boolean) }

    /// The size of a key in bits, which may be a text; nil if there is none.
    var size: Int? {
        guard let value = value(under: kSecAttrKeySizeInBits) else { return nil }
        if let text = text(value) { return Int(text) }
        return boolean(value) == nil ? (value as? NSNumber).flatMap { Int(exactly: $0) } : nil
    }
}
