internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import SodiumKit

// Keys as items of the keychain.

extension SecKey {
    /// Creates the key of an entry; nil if its attributes and bytes are those of no key.
    convenience init?(_ entry: FoundEntry, foundBy query: Query, on keychain: Keychain) {
        guard let stored = entry.stored?.description.attributes, let secret = entry.secret,
            case .number(let type) = stored[Name.kSecAttrKeyType],
            case .number(let keyClass) = stored[Name.kSecAttrKeyClass]
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

    /// Returns the bytes that are stored as the item's secret.
    func itemSecret() throws(StatusError) -> SecureBytes {
        switch kind {
        case .publicKey(let key): return try SecureBytes(copying: Data(key.externalRepresentation))
        case .privateKey(let held):
            do throws(KeyError) {
                return try held.key.externalRepresentation()
            } catch {
                throw StatusError(error)
            }
        }
    }
}
