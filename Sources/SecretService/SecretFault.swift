/// The reason why a store did not do what a caller wanted.
package enum SecretFault: Error, Hashable, Sendable {
    /// It is locked, and there was no time or no place to ask.
    case locked
    /// The user dismissed the prompt, or authentication failed.
    case dismissed
    case noSuchObject
    /// Anything else, in words without a secret.
    case failed(String)

    /// Creates the fault that an error of a store is. The words of any other error are not for callers.
    init(_ error: any Error) { self = error as? SecretFault ?? .failed("The store failed.") }
}
