// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: The item's class, attributes, data and access policy, with `kSecReturn…` keys for the parts to
///     return.
///   - result: The variable that receives the parts; nil if none are wanted.
/// - Returns: ``errSecSuccess``, or the reason for the failure, such as ``errSecDuplicateItem``.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    carryOut(.add, attributes) { (keychain) throws(StatusError) in
        let added =
            if let call = IdentityCall(attributes) {
                try call.store(on: keychain)
            } else {
                try Query(reading: attributes, isNew: true).store(on: keychain)
            }
        if let added { result?.pointee = added as AnyObject }
    }
}

extension Query {
    /// Stores the item in the dictionary (semantics 3.5), and returns the parts of it that the dictionary asks for.
    func store(on keychain: Keychain) throws(StatusError) -> Any? {
        if reference != nil {
            throw StatusError(
                errSecParam, "an add assigns the persistent reference: leave \(Name.kSecValuePersistentRef) out")
        }
        guard let itemClass else { throw StatusError(ItemRequestError.noClass) }
        try requireStorable()
        try object?.requireStorable(with: attributes)
        if object == nil { try requireNoToken() }
        var item = NewItem(itemClass, attributes, control ?? protection.map { AccessControl($0) }, group: group)
        item.isSynchronizable = synchronizable == .yes
        // The bytes of a key are data like any other. With a flag that guards its use, a private key is used and never
        // read.
        let isPrivateKey = itemClass == .key && attributes[Name.kSecAttrKeyClass]?.isPrivateKey == true
        item.isKey = isPrivateKey && object == nil && (secret == nil || control?.guardsKeyUse == true)
        if !matches.isEmpty {
            try onKeychain(keychain.requireMeaning(of: item))
            if keychain.fidelity.matchOnAdd == .refused {
                throw StatusError(errSecParam, "an add searches for nothing: leave the kSecMatch… keys out")
            }
            throw StatusError(
                errSecSuccess, "nothing was stored, as in Apple's source for an add with \(matches.sorted())")
        }
        let id = try add(item, keychain)
        return try given(of: id, itemClass, keychain)
    }

    /// Throws if the attributes name the Secure Enclave, which generates keys and stores nothing else.
    private func requireNoToken() throws(StatusError) {
        guard attributes[Name.kSecAttrTokenID] == .string(kSecAttrTokenIDSecureEnclave as String) else { return }
        throw StatusError(
            errSecParam,
            "the Secure Enclave stores only keys that it generates: leave \(Name.kSecAttrTokenID) out")
    }

    private func add(_ item: NewItem, _ keychain: Keychain) throws(StatusError) -> ItemIdentifier {
        let context = try context(on: keychain)
        guard let bytes = try newSecret() else {
            return try onKeychain(keychain.add(item, in: context, interaction: use.interaction))
        }
        return try onKeychain(keychain.add(item, secret: bytes, in: context, interaction: use.interaction))
    }

    /// Returns the secret of the new item: the data in the dictionary, or else the bytes of its object.
    private func newSecret() throws(StatusError) -> SecureBytes? {
        if let secret { return try SecureBytes(copying: secret) }
        return try object?.secret()
    }

    /// Returns the requested parts of an item that was just stored. The caller has its secret already, so no prompt is
    /// needed.
    private func given(of id: ItemIdentifier, _ itemClass: ItemClass, _ keychain: Keychain) throws(StatusError) -> Any?
    {
        if returns.isEmpty || (returns == .object && !ItemObject.exist(for: itemClass)) { return nil }
        let stored = try onKeychain(keychain.inventory(.id(id)))
        var copy: Secret?
        if parts(of: itemClass).contains(.data), let secret = try newSecret() { copy = Secret(secret) }
        let element = try element(FoundEntry(id: id, itemClass: itemClass, stored: stored, secret: copy), on: keychain)
        return isForSeveral ? [element as Any] : element
    }
}

extension AttributeValue {
    var isPrivateKey: Bool {
        switch self {
        case .string(let text): text == Name.kSecAttrKeyClassPrivate
        case .number(let number): String(number) == Name.kSecAttrKeyClassPrivate
        case .data, .date: false
        }
    }
}
