internal import Foundation
internal import Latchkey
internal import SecretVault

/// Carries out a call on the task's keychain, and returns the result as a status.
func carryOut(
    _ call: FaceCall, _ dictionary: CFDictionary, _ body: (Keychain) throws(StatusError) -> Void
) -> OSStatus {
    let keychain: Keychain
    do throws(KeychainError) { keychain = try CurrentKeychain.of(call: call.rawValue).keychain } catch {
        return StatusError(error).status
    }
    guard let watcher = keychain.watcher else { return outcome(of: body, on: keychain).status }
    var outcome = StatusError(errSecSuccess, "")
    if let planned = watcher.plannedFailure(of: call) {
        outcome = StatusError(planned: planned)
    } else {
        outcome = Security.outcome(of: body, on: keychain)
    }
    watcher.called(call, about: subject(of: dictionary), code: Int(outcome.status), because: outcome.why)
    return outcome.status
}

private func outcome(of body: (Keychain) throws(StatusError) -> Void, on keychain: Keychain) -> StatusError {
    do throws(StatusError) {
        try body(keychain)
        return StatusError(errSecSuccess, "")
    } catch {
        return error
    }
}

/// Returns the class and the names of a call's item for the observer, and never a secret.
func subject(of dictionary: CFDictionary) -> String {
    let names = [
        Name.kSecAttrService, Name.kSecAttrAccount, Name.kSecAttrServer, Name.kSecAttrApplicationTag,
        Name.kSecAttrLabel,
    ]
    let itemClass = dictionary[Name.kSecClass].flatMap(text).flatMap(ItemClass.init(rawValue:))?.rawValue
    let parts = names.compactMap { name in dictionary[name].flatMap(text).map { "\(name)=\($0)" } }
    return ([itemClass].compactMap(\.self) + parts).joined(separator: " ")
}

/// Runs `body`, and turns the keychain's errors into statuses.
func onKeychain<Value: ~Copyable>(_ body: () throws(KeychainError) -> Value) throws(StatusError) -> Value {
    do throws(KeychainError) { return try body() } catch { throw StatusError(error) }
}

extension Query.Use {
    /// Returns the context of the call; nil if it makes its own.
    func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext? {
        if let context { return try context.keychainContext(on: keychain) }
        guard let prompt else { return nil }
        var words = KeychainContext.Wording()
        words.reason = prompt
        return try keychain.makeContext(words)
    }
}

extension Query {
    /// Returns the context of the call; nil if it makes its own.
    func context(on keychain: Keychain) throws(StatusError) -> KeychainContext? {
        try onKeychain { () throws(KeychainError) in try use.keychainContext(on: keychain) }
    }

    /// Returns the query that the keychain runs.
    func search(wanting parts: ItemQuery.Parts = []) throws(StatusError) -> ItemQuery {
        if let reference {
            // An access control is no column of a row, and neither is whether an item syncs, so they do not narrow a
            // reference further.
            let saysMore =
                !attributes.values.isEmpty || group != nil || protection != nil || fingerprint != nil || speaksOfRows
                || (synchronizable ?? .either) != .either
            if saysMore { throw StatusError(RequestError.referenceWithMore) }
            guard let id = reference.id else {
                throw StatusError(
                    errSecItemNotFound, "the persistent reference has a former format, which no item uses")
            }
            var query = ItemQuery(id, wanted: parts)
            query.itemClass = reference.itemClass
            query.limit = limit
            return query
        }
        guard let itemClass else { throw StatusError(RequestError.noClass) }
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

extension StatusError {
    init(_ fault: RequestError) { self.init(KeychainError.request(fault)) }
}
