/// The limits of the protocol. `docs/agent.md` lists them for authors of clients.
package enum WireLimits: Sendable {
    /// The version of the protocol. An agent and a command with different numbers do not talk to each other.
    package static let version = 1
    /// The largest number of former versions of a secret.
    package static let formerVersions = 10
    /// The longest head that an agent reads, in bytes.
    package static let headToAgent = 64 * 1024
    /// The longest head that an agent sends, in bytes.
    package static let headFromAgent = 1024 * 1024
    /// The longest secret part, in bytes: 16 MiB. A keychain can store longer secrets, which only a program that opens
    /// it directly can read.
    package static let secret = 16 * 1024 * 1024
    /// The longest secret part of an answer to a prompt. Parts up to this length have room that longer ones cannot
    /// take.
    package static let typed = 64 * 1024
    /// The time for one frame, from its first byte to its last, in milliseconds.
    package static let patience: Int32 = 10_000
    /// The time for the answer to a prompt, in milliseconds.
    package static let promptPatience: Int32 = 120_000
    /// The time for the answer to a prompt, in seconds.
    package static let promptSeconds = Int(promptPatience) / 1000
    /// The number of clients that are served at a time. If one more connects, a client of the process with the most has
    /// to go.
    package static let clients = 256
    /// The number of bytes for all secret parts and lists that are longer than `typed`, of all clients together.
    package static let secretsUnderWay = 4 * secret
}
