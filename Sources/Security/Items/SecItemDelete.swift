// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
internal import Foundation
internal import Latchkey

/// Deletes every item that matches a query. Deleting never prompts.
///
/// - Parameter query: The class and attributes to match.
/// - Returns: ``errSecSuccess``, or the reason for the failure, such as ``errSecItemNotFound``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    carryOut(.delete, query) { (keychain) throws(StatusError) in
        if let call = IdentityCall(query) {
            try call.delete(on: keychain)
        } else {
            try Query(reading: query).delete(on: keychain)
        }
    }
}

extension Query {
    func delete(on keychain: Keychain) throws(StatusError) {
        let refused = keychain.fidelity.limitOfDelete == .refused ? matches : matches.subtracting([Name.kSecMatchLimit])
        if let key = refused.min() {
            throw StatusError(errSecParam, "a delete applies to all matching items: leave \(key) out")
        }
        let search = try search()
        let context = try context(on: keychain)
        _ = try onKeychain(keychain.delete(search, in: context, interaction: use.interaction, where: isWanted))
    }
}
