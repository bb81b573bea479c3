internal import Foundation
internal import Latchkey
internal import SecretVault

/// Carries out a call on the task's keychain, and returns the result as a status.
func carryOut(
    _ call: FaceCall, _ dictionary: CFDictionary, _ body: (Keychain) throws(StatusError) -> Void
) -> OSStatus {
    let keychain: Keychain
    do { keychain = try CurrentKeychain.of(call: call.rawValue).keychain } catch {
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
    do {
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
func onKeychain<Value: ~Copyable>(_ body: @autoclosure () throws(KeychainError) -> Value) throws(StatusError) -> Value {
    do { return try body() } catch { throw StatusError(error) }
}

extension StatusError {
    init(_ fault: ItemRequestError) { self.init(KeychainError.request(fault)) }
}
