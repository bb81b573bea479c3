internal import Foundation
internal import Latchkey
internal import SecretVault

extension Query {
    /// Returns the context of the call; nil if it makes its own.
    func context(on keychain: Keychain) throws(StatusError) -> KeychainContext? {
        try onKeychain(use.keychainContext(on: keychain))
    }

    /// Returns the query that the keychain runs.
    func search(wanting parts: ItemQuery.Parts = []) throws(StatusError) -> ItemQuery {
        if let reference {
            // An access control is no column of a row, and neither is whether an item syncs, so they do not narrow a
            // reference further.
            let saysMore =
                !attributes.values.isEmpty || group != nil || protection != nil || fingerprint != nil || speaksOfRows
                || (synchronizable ?? .either) != .either
            if saysMore { throw StatusError(ItemRequestError.referenceWithMore) }
            guard let id = reference.id else {
                throw StatusError(
                    errSecItemNotFound, "the persistent reference has a former format, which no item uses")
            }
            var query = ItemQuery(id, wanted: parts)
            query.itemClass = reference.itemClass
            query.limit = limit
            return query
        }
        guard let itemClass else { throw StatusError(ItemRequestError.noClass) }
        var query = ItemQuery(itemClass, attributes, group: group, wanted: parts)
        query.synchronizable = synchronizable ?? .no
        query.accessible = protection
        query.limit = limit
        return query
    }
}

extension Query {
    /// The test that an item has to pass if a condition can be checked only on an open item; nil if there is no such
    /// condition.
    var isWanted: ((StoredItem) -> Bool)? {
        guard fingerprint != nil || host != nil else { return nil }
        return { [fingerprint, host] item in
            if let fingerprint, item.fingerprint != fingerprint { return false }
            if let host, !item.isAt(host) { return false }
            return true
        }
    }
}

extension StoredItem {
    /// Returns true if the item's server is this host or a subdomain of it, compared letter by letter. A server that
    /// was stored as bytes never matches.
    fileprivate func isAt(_ host: String) -> Bool {
        guard case .string(let server) = description.attributes[Name.kSecAttrServer] else { return false }
        return server == host || server.hasSuffix("." + host)
    }
}
