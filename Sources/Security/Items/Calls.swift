internal import Foundation
internal import Latchkey
internal import SecretVault

/// Carries out a call on the keychain of the task, and says what it came to in a status.
func carryOut(
    _ call: FaceCall, _ dictionary: CFDictionary, _ body: (Keychain) throws(StatusError) -> Void
) -> OSStatus {
    let keychain: Keychain
    do throws(KeychainError) { keychain = try Keychain.current } catch { return StatusError(error).status }
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

/// What a call is about, for whoever watches: class and names, and never a secret.
private func subject(of dictionary: CFDictionary) -> String {
    let names = [
        Name.kSecAttrService, Name.kSecAttrAccount, Name.kSecAttrServer, Name.kSecAttrApplicationTag,
        Name.kSecAttrLabel,
    ]
    let itemClass = dictionary[Name.kSecClass].flatMap(text).flatMap(ItemClass.init(rawValue:))?.rawValue
    let parts = names.compactMap { name in dictionary[name].flatMap(text).map { "\(name)=\($0)" } }
    return ([itemClass].compactMap(\.self) + parts).joined(separator: " ")
}

/// The same with the keychain's errors in Apple's numbers.
func onKeychain<Value: ~Copyable>(_ body: () throws(KeychainError) -> Value) throws(StatusError) -> Value {
    do throws(KeychainError) { return try body() } catch { throw StatusError(error) }
}

extension Query {
    /// The context that a call is carried out in; nil for one of its own.
    func context(on keychain: Keychain) throws(StatusError) -> KeychainContext? {
        if let source = use.context {
            return try onKeychain { () throws(KeychainError) in try source.keychainContext(on: keychain) }
        }
        guard let prompt = use.prompt else { return nil }
        var words = KeychainContext.Wording()
        words.reason = prompt
        return try onKeychain { () throws(KeychainError) in try keychain.makeContext(words) }
    }

    /// What the keychain is asked to look for.
    func search(wanting parts: ItemQuery.Parts = []) throws(StatusError) -> ItemQuery {
        if let reference {
            // An access control is no column of a row, so it says nothing more; nor does any synchronizability.
            let saysMore =
                !attributes.values.isEmpty || group != nil || protection != nil || fingerprint != nil || speaksOfRows
                || (synchronizable ?? .either) != .either
            if saysMore { throw StatusError(RequestError.referenceWithMore) }
            guard let id = reference.id else { throw StatusError(errSecItemNotFound, "a reference of the former kind") }
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
    /// Which of the items that are found are meant, where what is looked for can be told only of one that is open.
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
    /// Returns true if its server is this host or one below it, letter by letter. A server that was stored as bytes is none.
    fileprivate func isAt(_ host: String) -> Bool {
        guard case .string(let server) = description.attributes[Name.kSecAttrServer] else { return false }
        return server == host || server.hasSuffix("." + host)
    }
}

extension StatusError {
    init(_ fault: RequestError) { self.init(KeychainError.request(fault)) }
}
