internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import SSHProtocol

/// The keys that SSH clients see.
struct SSHListing {
    let entries: [SSHKeyEntry]
    /// The path at which SSH clients connect; nil if the agent cannot listen there.
    let socket: String?
    /// The reason why it cannot.
    let trouble: String?

    /// Asks the agent for the keys that SSH clients see. It never prompts.
    init(_ access: KeyAccess) throws {
        var entries: [SSHKeyEntry] = []
        let reply = try access.vault.client.ask(SSHKeysCall(), of: nil) { entries.append($0) }.reply
        self.entries = entries
        (socket, trouble) = (reply.socket, reply.trouble)
    }

    /// Returns the public key of an entry.
    static func key(of entry: SSHKeyEntry) throws -> SSHPublicKey {
        guard let key = Base64.bytes(entry.key).flatMap({ SSHPublicKey(blob: $0) }) else {
            throw AgentError(
                .damaged, "the public key of \(entry.name) is damaged: run `latchkey ssh add \(entry.name)`")
        }
        return key
    }
}

extension Values {
    /// The names of the keys that SSH clients see.
    static let shownKey = Values.listed(NameList(command: "ssh list --names", options: VaultAccess.listOptions))
}
