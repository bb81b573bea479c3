internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

// The objects of items: keys, certificates and identities. An entry of the keychain becomes an object here, and an object
// becomes attributes and bytes. No other code of this folder knows what an object is.

/// An object that a dictionary has under `kSecValueRef`, or that a call returns for `kSecReturnRef`.
enum ItemObject {
    case key(SecKey)
    case certificate(SecCertificate)
    case identity(SecIdentity)

    /// The object in a value of a dictionary; nil if the value is none.
    init?(_ value: Any) {
        switch value {
        case let key as SecKey: self = .key(key)
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let identity as SecIdentity: self = .identity(identity)
        default: return nil
        }
    }

    /// Returns true if items of this class have objects.
    static func exist(for itemClass: ItemClass?) -> Bool {
        switch itemClass {
        case .key, .certificate, .identity: true
        case .genericPassword, .internetPassword, nil: false
        }
    }

    var forApps: AnyObject {
        switch self {
        case .key(let key): key
        case .certificate(let certificate): certificate
        case .identity(let identity): identity
        }
    }
}

// MARK: - From an entry to an object

extension ItemObject {
    /// Creates the object of an entry that was found with its data and attributes; nil if the entry holds none, as
    /// passwords never do.
    ///
    /// - Parameter query: The query that found the entry. Its options for authentication stay with the object.
    init?(_ entry: FoundEntry, foundBy query: Query, on keychain: Keychain) throws(StatusError) {
        switch entry.itemClass {
        case .key:
            guard let key = SecKey(entry, foundBy: query, on: keychain) else { return nil }
            self = .key(key)
        case .certificate:
            guard let certificate = SecCertificate(entry) else { return nil }
            self = .certificate(certificate)
        // The keychain stores no identities. A found pair becomes one.
        case .identity, .genericPassword, .internetPassword: return nil
        }
    }
}

// MARK: - From an object to an item

extension ItemObject {
    /// Returns the attributes under which the object is stored, or those by which a query finds it. The class is among
    /// them.
    func attributes(forQuery: Bool) throws(StatusError) -> [String: Any] {
        switch self {
        case .key(let key): try key.itemAttributes(forQuery: forQuery)
        case .certificate(let certificate): try certificate.itemAttributes(isNew: !forQuery)
        // A call carries out an identity as a certificate and as a key, one after the other.
        case .identity: [:]
        }
    }

    /// Throws if the object cannot be stored with these attributes.
    func requireStorable(with attributes: Attributes) throws(StatusError) {
        switch self {
        case .key(let key): try key.requireStorable(with: attributes)
        case .certificate, .identity: return
        }
    }

    /// Returns the bytes that are stored as the secret of the object's item.
    func secret() throws(StatusError) -> SecureBytes {
        switch self {
        case .key(let key): try key.itemSecret()
        case .certificate(let certificate): try SecureBytes(copying: Data(certificate.certificate.der))
        case .identity(let identity): try identity.privateKey.itemSecret()
        }
    }
}
