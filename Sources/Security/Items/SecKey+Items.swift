internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

// Keys as items of the keychain.

extension SecKey {
    /// Creates the key of an entry; nil if its attributes and bytes are those of no key.
    convenience init?(_ entry: FoundEntry, foundBy query: Query, on keychain: Keychain) {
        guard let stored = entry.stored else { return nil }
        if let key = EnclaveKey(stored) {
            self.init(.enclaveKey(EnclaveReference(key, of: stored.description, on: keychain, query.use)))
            return
        }
        let attributes = stored.description.attributes
        guard let secret = entry.secret, case .number(let type) = attributes[Name.kSecAttrKeyType],
            case .number(let keyClass) = attributes[Name.kSecAttrKeyClass]
        else { return nil }
        guard let key = try? SecKey.Kind(secret.bytes, type: type, keyClass: keyClass) else { return nil }
        self.init(key)
    }

    /// The attributes that tell what a key can do. A query for a key does not compare them.
    private static let capabilities: Set<String> = [
        kSecAttrCanSign, kSecAttrCanVerify, kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanWrap,
        kSecAttrCanUnwrap, kSecAttrCanSignRecover, kSecAttrCanVerifyRecover, kSecAttrIsPermanent,
    ].reduce(into: []) { $0.insert($1 as String) }

    /// Returns the attributes under which the key is stored, or by which a query finds it.
    func itemAttributes(forQuery: Bool) throws(StatusError) -> [String: Any] {
        guard let attributes = attributes() else { throw StatusError(errSecAllocate, "no memory is left") }
        return forQuery ? attributes.filter { !Self.capabilities.contains($0.key) } : attributes
    }

    /// Throws if the attributes name a token. Apple's tokens generate their keys and import none.
    func requireStorable(with attributes: Attributes) throws(StatusError) {
        switch kind {
        case .publicKey, .privateKey:
            if attributes[Name.kSecAttrTokenID] != nil {
                throw StatusError(
                    errSecParam,
                    "a key cannot be imported into the Secure Enclave: leave \(Name.kSecAttrTokenID) out")
            }
        case .enclaveKey: return
        }
    }

    /// Returns the bytes that are stored as the item's secret.
    func itemSecret() throws(StatusError) -> SecureBytes {
        switch kind {
        case .publicKey(let key): return try SecureBytes(copying: Data(key.externalRepresentation))
        case .privateKey(let held):
            do {
                return try held.key.externalRepresentation()
            } catch {
                throw StatusError(error)
            }
        case .enclaveKey(let reference):
            if reference.isStored { throw StatusError(errSecDuplicateItem, "the keychain has this key already") }
            throw StatusError(
                errSecUnimplemented,
                "a key of the Secure Enclave is stored when it is generated: set \(kSecAttrIsPermanent)")
        }
    }
}
