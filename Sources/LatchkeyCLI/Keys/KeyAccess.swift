internal import AgentProtocol
internal import CommandLineKit
internal import KeyKit
internal import PlainText
internal import SodiumKit

/// A connection to the agent for a command on keys.
struct KeyAccess {
    let vault: VaultAccess

    /// Connects to the agent of the vault.
    init(_ choice: Given<VaultChoice>, mayAsk: Bool = true) throws {
        vault = try VaultAccess(choice, mayAsk: mayAsk)
    }

    /// A private key, with its public half.
    struct Key {
        let entry: KeyEntry
        let publicKey: PublicKey
    }

    /// Returns a key. It never prompts, except to unlock the vault.
    func key(_ name: String, because reason: String) throws -> Key {
        var head = try vault.ask(KeyCall(name), because: reason).head
        return try Self.key(&head)
    }

    /// Reads the answer that describes a key.
    static func key(_ head: inout Head) throws -> Key {
        guard var entry = try head.consumeHeadIfPresent("key"),
            let bytes = Hexadecimal.bytes(try head.consumeText("public"))
        else { throw AgentError(.agent, "\"key\" is missing") }
        return Key(
            entry: try KeyEntry(reading: &entry), publicKey: try PublicKey(subjectPublicKeyInfo: bytes.span.bytes))
    }

    func certificate(of name: String) throws -> Certificate {
        var reply = try vault.ask(CertificateCall(name), because: "show the certificate of \(name)")
        switch reply.secret.take() {
        case .some(let bytes): return try bytes.withBytes { (bytes) throws(KeyError) in try Certificate(der: bytes) }
        case .none: throw AgentError(.damaged, "the certificate of \(name) is empty: store it again")
        }
    }
}

extension Values {
    /// The names of private keys in the vault.
    static let key = Values.listed(NameList(command: "key list --names", options: VaultAccess.listOptions))
}
