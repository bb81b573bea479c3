package import HTTPWire

/// A purpose that a secret may be lent for. The purposes belong to the secret, and a profile chooses among them.
package enum LoanTarget: Hashable, Sendable {
    /// Requests to this server.
    case server(WireOrigin)
    /// Logins by SSH as this user at this host.
    case logins(SSHAccount)
    case codes
    case signatures
    case decryptions
    /// The secret itself, for a tool that asks a helper for it.
    case value

    /// The words of the purposes that name no server and no host.
    package static let words = all.map { $0.text }

    private static let all: [LoanTarget] = [.codes, .signatures, .decryptions, .value]

    /// Reads a purpose as people write it: `https://api.example.com`, `ssh://git@github.com`, or a word; nil for a text that is none.
    package init?(_ text: String) {
        if let target = Self.all.first(where: { $0.text == text }) {
            self = target
        } else if let server = WireOrigin(server: text) {
            self = .server(server)
        } else if let account = SSHAccount(address: text) {
            self = .logins(account)
        } else {
            return nil
        }
    }

    /// The purpose as people write it, in one way for each.
    package var text: String {
        switch self {
        case .server(let server): server.text
        case .logins(let account): account.address
        case .codes: "codes"
        case .signatures: "signatures"
        case .decryptions: "decryptions"
        case .value: "value"
        }
    }

    /// The purpose, as a prompt has it.
    package var words: String {
        switch self {
        case .server(let server): "requests to \(server.text)"
        case .logins(let account): "logins to \(account.knownName) as \(account.user)"
        case .codes: "one-time codes"
        case .signatures: "signatures"
        case .decryptions: "decryptions"
        case .value: "THE SECRET ITSELF, which the program can then keep"
        }
    }

    /// A use of the purpose, as a prompt has it; nil for a request to a server, which has words of its own.
    package var deed: String? {
        switch self {
        case .server: nil
        case .logins(let account): "log in to \(account.knownName) as \(account.user)"
        case .codes: "get a one-time code"
        case .signatures: "sign data"
        case .decryptions: "decrypt data"
        case .value: "GET THE SECRET ITSELF and keep it"
        }
    }

    /// The server; nil for a purpose that has none.
    package var server: WireOrigin? { if case .server(let server) = self { server } else { nil } }

    /// The user and the host of logins; nil for any other purpose.
    package var account: SSHAccount? { if case .logins(let account) = self { account } else { nil } }

    /// True if a private key serves the purpose, and false if a secret does. One of each may have the same name.
    package var isOfKey: Bool {
        switch self {
        case .logins, .signatures, .decryptions: true
        case .server, .codes, .value: false
        }
    }
}
