internal import LinuxSystem
internal import SecretVault

extension Keychain {
    /// Runs `body` on a thread of its own and returns its result.
    ///
    /// Call it from code that must not block: a prompt may wait for minutes, and tasks share few threads.
    ///
    ///     let secret = try await keychain.asynchronously { try $0.find(query).first?.secret }
    ///
    /// - Throws: The error of `body`, or ``KeychainError/vault(_:)`` if no thread can be started.
    public func asynchronously<Value: Sendable>(
        _ body: @escaping @Sendable (Keychain) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isStarted = Supervisor.detach { [self] in
                continuation.resume(with: Result { try body(self) })
            }
            if !isStarted {
                continuation.resume(
                    throwing: KeychainError.vault(.system("a thread", code: 11, text: "no more threads can start")))
            }
        }
    }
}
