internal import AgentProtocol
internal import CommandLineKit
internal import KeyKit
internal import LatchkeyCLI
internal import SodiumKit

/// A connection to the agent for a command on keys.
struct KeyAccess {
    /// The operand that names a key.
    static let operand = Operand(name: "NAME", values: .key)

    let vault: VaultAccess

    /// Connects to the agent of the vault.
    init(_ choice: Given<VaultChoice>, mayAsk: Bool = true) throws {
        vault = try VaultAccess(choice, mayAsk: mayAsk)
    }

    /// A private key, with its public half.
    struct Key {
        let entry: KeyEntry
        let publicKey: PublicKey

        /// Reads the public half of the key that a reply is about.
        init(_ reply: KeyReply) throws(KeyError) {
            entry = reply.entry
            publicKey = try PublicKey(subjectPublicKeyInfo: reply.publicKey.span.bytes)
        }
    }

    /// Returns a key. It never prompts, except to unlock the vault.
    func key(_ name: String, because reason: String) throws -> Key {
        try Key(vault.ask(KeyCall(name), because: reason).reply)
    }

    func certificate(of name: String) throws -> Certificate {
        var reply = try vault.ask(CertificateCall(name), because: "show the certificate of \(name)")
        switch reply.secret.take() {
        case .some(let bytes): return try bytes.withBytes { (bytes) throws(KeyError) in try Certificate(der: bytes) }
        case .none: throw AgentError(.damaged, "the certificate of \(name) is empty: store it again")
        }
    }

    /// Stores the certificate of a key, and deletes the former one.
    func store(_ certificate: Certificate, for name: String) throws {
        let bytes = try SecureBytes(copying: certificate.der.span.bytes)
        _ = try vault.ask(SetCertificateCall(name), because: "store the certificate of \(name)", sending: bytes)
    }
}

extension Values {
    /// The names of private keys in the vault.
    static let key = Values.listed(NameList(command: "key list --names", options: VaultAccess.listOptions))
}
