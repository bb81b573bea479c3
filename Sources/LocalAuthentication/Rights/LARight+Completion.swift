public import Foundation
public import Security

// The forms with a completion handler. Each does what the asynchronous form does, and calls the handler from a task of its own, on which the
// device of the caller is current.

extension LARight {
    /// Asks the user to meet the requirement, and calls `handler` with the reason if they do not.
    ///
    ///     right.authorize(localizedReason: "Confirm the payment") { error in
    ///         if error == nil { pay() }
    ///     }
    public func authorize(localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        reply(to: handler, with: self) { try await $0.authorize(localizedReason: localizedReason) }
    }

    /// Checks that the user could meet the requirement now, and calls `handler` with the reason if no user could.
    public func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        reply(to: handler, with: self) { try await $0.checkCanAuthorize() }
    }

    /// Ends the authorization, and calls `handler` then.
    public func deauthorize(completion handler: @escaping @Sendable () -> Void) {
        reply(to: { _ in handler() }, with: self) { await $0.deauthorize() }
    }
}

extension LARightStore {
    /// Looks for the right that was saved under this identifier.
    public func right(
        forIdentifier identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.right(forIdentifier: identifier) }
    }

    /// Saves a right without a secret.
    public func saveRight(
        _ right: LARight, identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        saveRight(right, identifier: identifier, secret: Data(), completion: handler)
    }

    /// Saves a right with a secret.
    public func saveRight(
        _ right: LARight, identifier: String, secret: Data,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        reply(to: handler, with: right) {
            try await LARightStore.shared.saveRight($0, identifier: identifier, secret: secret)
        }
    }

    /// Removes a right together with its secret.
    public func removeRight(_ right: LAPersistedRight, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        removeRight(forIdentifier: right.identifier, completion: handler)
    }

    /// Removes the right that was saved under this identifier.
    public func removeRight(
        forIdentifier identifier: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.removeRight(forIdentifier: identifier) }
    }

    /// Removes all rights of the app.
    public func removeAllRights(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        reply(to: handler, with: self) { try await $0.removeAllRights() }
    }
}

extension LASecret {
    /// Reads the bytes of the secret. It never prompts.
    public func loadData(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        reply(to: handler, with: self) { try await $0.rawData }
    }
}

extension LAPrivateKey {
    /// Signs data.
    public func sign(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.sign(data, algorithm: algorithm) }
    }

    /// Decrypts data that was encrypted with the public key.
    public func decrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.decrypt(data, algorithm: algorithm) }
    }

    /// Agrees on a secret with the owner of another key.
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let parameters = parameters  // only the task reads it from now on
        reply(to: handler, with: self) {
            try await $0.exchangeKeys(publicKey: publicKey, algorithm: algorithm, parameters: parameters)
        }
    }
}

extension LAPublicKey {
    /// Reads the bytes of the key.
    public func exportBytes(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        reply(to: handler, with: self) { try await $0.bytes }
    }

    /// Encrypts data, which only the private key decrypts.
    public func encrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.encrypt(data, algorithm: algorithm) }
    }

    /// Verifies a signature of the private key, and calls `handler` with the reason if it is not valid.
    public func verify(
        _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        reply(to: handler, with: self) { try await $0.verify(signedData, signature: signature, algorithm: algorithm) }
    }
}

/// Carries out `work` on an object in a task of its own, and calls `handler` with its result or its error.
private func reply<Subject, Value>(
    to handler: @escaping @Sendable (Value?, (any Error)?) -> Void, with subject: Subject,
    _ work: @escaping @Sendable (Subject) async throws -> Value
) {
    let passed = Passed(subject)
    Task {
        do { handler(try await work(passed.subject), nil) } catch { handler(nil, error) }
    }
}

/// A right, or a part of one, on its way to a task. Any thread may use it: what changes in it is behind a lock.
private struct Passed<Subject>: @unchecked Sendable {
    let subject: Subject

    init(_ subject: Subject) { self.subject = subject }
}

/// Carries out `work` on an object in a task of its own, and calls `handler` with its error.
private func reply<Subject>(
    to handler: @escaping @Sendable ((any Error)?) -> Void, with subject: Subject,
    _ work: @escaping @Sendable (Subject) async throws -> Void
) {
    reply(to: { (_: Void?, error) in handler(error) }, with: subject, work)
}
