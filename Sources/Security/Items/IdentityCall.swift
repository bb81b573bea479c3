internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault

/// The dictionary of a call that is about identities.
///
/// The keychain stores no identities. An identity is a certificate and a private key whose rows have the same hash of the
/// public key. So a call on an identity is a call on its certificate and a call on its key.
struct IdentityCall {
    /// The ways to name the identities.
    private enum Subject {
        /// An object under `kSecValueRef`.
        case object(SecIdentity)
        /// The persistent reference of an identity, which has that of the certificate in it.
        case reference(ItemIdentifier)
        /// The class, with or without attributes.
        case itemClass
    }

    private let dictionary: CFDictionary
    private let subject: Subject

    /// Creates the call; nil if the dictionary is about other items.
    init?(_ dictionary: CFDictionary) {
        self.dictionary = dictionary
        if let identity = dictionary[Name.kSecValueRef].flatMap(unwrapped) as? SecIdentity {
            subject = .object(identity)
        } else if let value = dictionary[Name.kSecValuePersistentRef].flatMap(unwrapped) {
            guard let reference = try? PersistentReference(value), reference.itemClass == .identity,
                let id = reference.id
            else { return nil }
            subject = .reference(id)
        } else {
            guard dictionary[Name.kSecClass].flatMap(unwrapped).flatMap(text) == ItemClass.identity.rawValue else {
                return nil
            }
            subject = .itemClass
        }
    }

    /// Returns the dictionary of the call on only the certificates or only the keys.
    private func part(_ itemClass: ItemClass, _ object: AnyObject? = nil) -> CFDictionary {
        var part = dictionary
        part[Name.kSecClass] = itemClass.rawValue
        if let object { part[Name.kSecValueRef] = object }
        return part
    }

    // MARK: - Storing

    /// Stores the certificate and the key. Returns a persistent reference if the dictionary asks for it alone.
    func store(on keychain: Keychain) throws(StatusError) -> Any? {
        switch subject {
        case .object(let identity):
            var result: Any?
            let isNew = try unless(errSecDuplicateItem) { () throws(StatusError) in
                result = try Query(reading: part(.certificate, identity.certificate), isNew: true).store(on: keychain)
            }
            var key = part(.key, identity.privateKey)
            key[Name.kSecReturnPersistentRef] = false
            let isNewKey = try unless(errSecDuplicateItem) { () throws(StatusError) in
                _ = try Query(reading: key, isNew: true).store(on: keychain)
            }
            if !isNew && !isNewKey { throw StatusError(errSecDuplicateItem, "the identity is stored already") }
            return Self.reference(for: result)
        case .reference: return try Query(reading: dictionary, isNew: true).store(on: keychain)
        case .itemClass:
            throw StatusError(
                errSecParam, "an identity is a certificate and a private key: add it as \(Name.kSecValueRef)")
        }
    }

    /// Runs `body`. Returns false if it throws this status, and true if it throws nothing.
    private func unless(_ status: OSStatus, _ body: () throws(StatusError) -> Void) throws(StatusError) -> Bool {
        do {
            try body()
            return true
        } catch {
            guard error.status == status else { throw error }
            return false
        }
    }

    /// Returns the reference of the identity whose certificate has this reference; nil for any other value.
    private static func reference(for value: Any?) -> Data? {
        guard let value, let id = (try? PersistentReference(value))?.id else { return nil }
        return PersistentReference.data(.identity, id)
    }

    // MARK: - Finding

    /// Returns the result of a search: nil, one element, or a list.
    func look(on keychain: Keychain) throws(StatusError) -> Any? {
        switch subject {
        case .object(let identity):
            var result: Any?
            _ = try unless(errSecItemNotFound) { () throws(StatusError) in
                result = try Query(reading: part(.certificate, identity.certificate)).look(on: keychain)
            }
            var key = part(.key, identity.privateKey)
            key[Name.kSecReturnPersistentRef] = false
            _ = try Query(reading: key).look(on: keychain)
            return Self.reference(for: result)
        case .reference(let id): return try IdentitySearch(Query(reading: dictionary), certificate: id, keychain).look()
        case .itemClass: return try IdentitySearch(Query(reading: dictionary), keychain).look()
        }
    }

    // MARK: - Changing

    /// Carries out an update with `body`, once for each dictionary.
    func update(_ body: (CFDictionary) throws(StatusError) -> Void) throws(StatusError) {
        switch subject {
        case .object(let identity):
            try body(part(.certificate, identity.certificate))
            try body(part(.key, identity.privateKey))
        case .reference: try body(dictionary)
        case .itemClass: try change(body)
        }
    }

    /// Deletes the certificate, and the key unless another certificate needs it.
    func delete(on keychain: Keychain) throws(StatusError) {
        func delete(_ part: CFDictionary) throws(StatusError) { try Query(reading: part).delete(on: keychain) }
        switch subject {
        case .object(let identity):
            let wasThere = try unless(errSecItemNotFound) { () throws(StatusError) in
                try delete(part(.certificate, identity.certificate))
            }
            if try !isNeeded(identity.privateKey, on: keychain) {
                try delete(part(.key, identity.privateKey))
            } else if !wasThere {
                throw StatusError(errSecItemNotFound, "the certificate of the identity is not stored")
            }
        case .reference(let id):
            let pairs = try IdentitySearch(Query(reading: dictionary), certificate: id, keychain).pairs()
            guard let pair = pairs.first else { return try delete(dictionary) }
            try delete([Name.kSecValuePersistentRef: PersistentReference.data(.certificate, pair.certificate.id)])
            if try IdentitySearch.certificates(of: pair.hash, on: keychain).isEmpty {
                try delete([Name.kSecValuePersistentRef: PersistentReference.data(.key, pair.key.id)])
            }
        case .itemClass: try change(delete)
        }
    }

    private func isNeeded(_ key: SecKey, on keychain: Keychain) throws(StatusError) -> Bool {
        let hash: [UInt8]
        do { hash = try key.publicKey.fingerprint } catch { throw StatusError(error) }
        return try !IdentitySearch.certificates(of: hash, on: keychain).isEmpty
    }

    /// Changes the certificates and then the keys that match, as Apple's system does, even those that form no pair.
    private func change(_ body: (CFDictionary) throws(StatusError) -> Void) throws(StatusError) {
        try body(part(.certificate))
        try body(part(.key))
    }
}
