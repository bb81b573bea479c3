// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault
internal import SodiumKit

/// Searches the keychain, prompting if the policies of the items need it.
///
/// - Parameters:
///   - query: The class and attributes to match, with `kSecReturn…` keys for the parts to return. Without
///     ``kSecMatchLimit``, the search returns one item.
///   - result: The variable that receives the parts: one value, or an array if the limit allows several items.
/// - Returns: ``errSecSuccess``, or the reason for the failure, such as ``errSecItemNotFound`` or
///   ``errSecUserCanceled``.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    carryOut(.read, query) { (keychain) throws(StatusError) in
        let found =
            if let call = IdentityCall(query) {
                try call.look(on: keychain)
            } else {
                try Query(reading: query).look(on: keychain)
            }
        result?.pointee = found.map { $0 as AnyObject }
    }
}

extension Query {
    /// Returns the result of a search: nil, one element, or a list (semantics 3.8).
    func look(on keychain: Keychain) throws(StatusError) -> Any? {
        let itemClass = itemClass ?? reference?.itemClass
        if let itemClass { try requireMatchable(itemClass) }
        let query = try search(wanting: parts(of: itemClass))
        let context = try context(on: keychain)
        let entries = try find(query, in: context, on: keychain)
        if returns.isEmpty || (returns == .object && !ItemObject.exist(for: itemClass)) { return nil }
        var elements: [Any] = []
        for entry in entries {
            if let element = try element(entry, on: keychain) { elements.append(element) }
        }
        return isForSeveral ? elements : elements.first
    }

    var isForSeveral: Bool {
        switch limit {
        case nil, .one, .upTo(1): false
        case .all, .upTo: true
        }
    }

    /// Returns the parts that the keychain has to return for items of this class.
    func parts(of itemClass: ItemClass?) -> ItemQuery.Parts {
        var parts: ItemQuery.Parts = []
        if returns.contains(.data) { parts.insert(.data) }
        if returns.contains(.attributes) { parts.insert(.attributes) }
        if returns.contains(.reference) { parts.insert(.reference) }
        switch itemClass {
        // The attributes show if a key has data to return, and an object consists of both.
        case .key: if returns.contains(.data) || returns.contains(.object) { parts.formUnion([.data, .attributes]) }
        case .certificate: if returns.contains(.object) { parts.insert(.data) }
        case .genericPassword, .internetPassword, .identity, nil: break
        }
        return parts
    }

    /// Returns the result for one item; nil if the query asks only for its secret or its object, and it has none.
    func element(_ entry: FoundEntry, on keychain: Keychain) throws(StatusError) -> Any? {
        let object = returns.contains(.object) ? try ItemObject(entry, foundBy: self, on: keychain)?.forApps : nil
        let data = returns.contains(.data) ? entry.secret?.bytes.forApps() : nil
        let reference = returns.contains(.reference) ? PersistentReference.data(entry.itemClass, entry.id) : nil
        switch returns {
        case .object: return object
        case .data: return data
        case .reference: return reference
        default: break
        }
        var element: [String: Any] = [:]
        if let stored = entry.stored {
            element = stored.forApps.filter { name, _ in
                returns.contains(AttributeTable.isGivenWithData(name) ? .data : .attributes)
            }
            if returns.isSuperset(of: [.data, .attributes]) { element["sha1"] = Data(stored.fingerprint) }
        }
        if returns.contains(.object) { element[Name.kSecClass] = entry.itemClass.rawValue }
        if let object { element[Name.kSecValueRef] = object }
        if let data { element[Name.kSecValueData] = data }
        if let reference { element[Name.kSecValuePersistentRef] = reference }
        return element
    }
}
