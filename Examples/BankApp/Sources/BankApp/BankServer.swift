import Foundation

/// The bank, as the app talks to it.
protocol BankServer: Sendable {
    /// Registers the device by its public key, which replaces a former one. This takes the user's password.
    func register(_ publicKey: Data, of user: String, password: String) async throws
    /// Returns random bytes to sign.
    func challenge(for user: String) async throws -> Data
    /// Returns a token if the signature is that of the registered device.
    func signIn(_ user: String, signature: Data) async throws -> String
}
