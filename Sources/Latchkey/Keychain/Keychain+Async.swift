internal import LinuxSystem
internal import SecretVault

extension Keychain {
    /// Does what may ask somebody on a thread of its own, for code that must not block: a prompt may take minutes, and the
    /// threads that tasks share are few.
    ///
    ///     let secret = try await keychain.asynchronously { try $0.find(query).first?.secret }
    public func asynchronously<Value: Sendable>(
        _ body: @escaping @Sendable (Keychain) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isStarted = Supervisor.detach { [self] in
                continuation.resume(with: Result { try body(self) })
            }
            if !isStarted {
                continuation.resume(
                    throwing: KeychainError.vault(.system("a thread", code: 11, text: "there are none left")))
            }
        }
    }
}
