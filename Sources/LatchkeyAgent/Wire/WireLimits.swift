/// What one frame may be, and how long it may take. `docs/agent.md` says the same to those who write a client.
package enum WireLimits: Sendable {
    /// The version of the format. Another number is another format.
    package static let version = 1
    /// The members of requests that came after the first agents of this version. An agent's greeting names those that it knows.
    package static let additions = [briefLists]
    /// Leaves the comments out of a list.
    package static let briefLists = "brief"
    /// The longest head that an agent reads, in bytes.
    package static let headToAgent = 64 * 1024
    /// The longest head that an agent writes.
    package static let headFromAgent = 1024 * 1024
    /// The longest secret part: 16 MiB. A keychain stores more, which only a program that uses it directly reads.
    package static let secret = 16 * 1024 * 1024
    /// The longest secret part of an answer to a prompt. Secrets up to this length find room whatever others are at.
    package static let typed = 64 * 1024
    /// How long a frame may take from its first byte to its last, in milliseconds.
    package static let patience: Int32 = 10_000
    /// How long a prompt waits for its answer, in milliseconds.
    package static let promptPatience: Int32 = 120_000
    /// How many clients are served at a time. One more takes the place of one whose process has the most of them.
    package static let clients = 256
    /// How many bytes of secret parts and lists longer than `typed` may be with the agent at a time, of all clients together.
    package static let secretsUnderWay = 4 * secret
}
