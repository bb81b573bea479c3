internal import SecretVault

/// What one frame may be, and how long it may take. `docs/agent.md` says the same to those who write a client.
package enum WireLimits: Sendable {
    /// The version of the format. Another number is another format.
    package static let version = 1
    /// The longest head that an agent reads, in bytes.
    package static let headToAgent = 64 * 1024
    /// The longest head that an agent writes.
    package static let headFromAgent = 1024 * 1024
    /// The longest secret part.
    package static let secret = SecretSize.limit
    /// How long a frame may take from its first byte to its last, in milliseconds.
    package static let patience: Int32 = 10_000
    /// How many clients are served at a time. One more takes the place of whoever has been silent for longest.
    package static let clients = 256
    /// How many bytes of secret parts may be on their way at a time, of all clients together.
    package static let secretsUnderWay = 4 * SecretSize.limit
}
