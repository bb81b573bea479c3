internal import Foundation
internal import KeyKit
internal import Latchkey

/// Carries out a call on a key. The observer of the keychain learns of it, and a test can make it fail.
func reporting<Result>(
    _ call: FaceCall, to keychain: Keychain?, about what: String, _ error: UnsafeMutablePointer<Unmanaged<NSError>?>?,
    _ body: () throws(KeyFailure) -> Result
) -> Result? {
    guard let watcher = keychain?.watcher else { return reporting(error, body) }
    return reporting(error) { () throws(KeyFailure) in
        do throws(KeyFailure) {
            if let planned = watcher.plannedFailure(of: call) { throw KeyFailure(StatusError(planned: planned)) }
            let result = try body()
            watcher.called(call, about: what, code: Int(errSecSuccess), because: "")
            return result
        } catch let failure {
            watcher.called(call, about: what, code: failure.code, because: failure.why)
            throw failure
        }
    }
}

/// Runs `body`. If it throws, stores the error for the app and returns nil.
func reporting<Result>(
    _ error: UnsafeMutablePointer<Unmanaged<NSError>?>?, _ body: () throws(KeyFailure) -> Result
) -> Result? {
    do {
        return try body()
    } catch let failure {
        error?.pointee = .passRetained(failure.forApps)
        return nil
    }
}

/// Runs `body`, and turns errors of keys into those that apps get.
func onKey<Value: ~Copyable>(_ body: @autoclosure () throws(KeyError) -> Value) throws(KeyFailure) -> Value {
    do { return try body() } catch { throw KeyFailure(error) }
}

/// Runs `body`, and turns statuses into errors.
func onStatus<Value: ~Copyable>(_ body: @autoclosure () throws(StatusError) -> Value) throws(KeyFailure) -> Value {
    do { return try body() } catch { throw KeyFailure(error) }
}

/// Returns the task's keychain, for a call that needs one.
func currentKeychain(for call: FaceCall) throws(StatusError) -> Keychain {
    try onKeychain(CurrentKeychain.of(call: call.rawValue).keychain)
}

extension SecKey {
    /// The keychain whose observer learns of the calls on the key: its own in the Secure Enclave, and otherwise the task's,
    /// if it has one.
    var watchedKeychain: Keychain? {
        switch kind {
        case .publicKey, .privateKey: CurrentKeychain.known?.keychain
        case .enclaveKey(let reference): reference.keychain
        }
    }
}
