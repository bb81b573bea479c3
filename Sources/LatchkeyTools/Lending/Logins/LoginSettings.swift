internal import LoanRules
internal import SSHProtocol
internal import VaultService

/// The settings by which SSH clients in a sandbox find the hosts that logins are lent for. They stand where the system's own stand
/// elsewhere, so a program uses the names of the hosts as ever.
struct LoginSettings {
    private var logins: [(account: SSHAccount, port: UInt16)] = []

    /// Adds a host, which a relay at this port leads to.
    mutating func add(_ account: SSHAccount, at port: UInt16) { logins.append((account, port)) }

    /// The path of the agent's socket, from inside.
    static let socketName = "ssh.sock"

    /// The files of /etc that clients read.
    var files: [(name: String, text: String)] {
        if logins.isEmpty { return [] }
        return [("ssh/ssh_config", settings), ("ssh/ssh_known_hosts", knownHosts)]
    }

    // Every word comes from an account, which has letters, digits, dots, hyphens, underscores and colons.
    private var settings: String {
        logins.map { account, port in
            """
            Host \(account.host)
              HostName 127.0.0.1
              Port \(port)
              User \(account.user)
              HostKeyAlias \(account.knownName)
              StrictHostKeyChecking yes
              UserKnownHostsFile /dev/null
              GlobalKnownHostsFile /etc/ssh/ssh_known_hosts
              UpdateHostKeys no
              PasswordAuthentication no
              KbdInteractiveAuthentication no

            """
        }.joined()
    }

    private var knownHosts: String {
        let hosts = KnownHosts.ofTheUser
        let names = Set(logins.map(\.account.knownName)).sorted()
        return names.flatMap { name in
            hosts.keys(of: name).compactMap { SSHPublicKey(blob: $0) }.map { "\(name) \($0.line(comment: ""))\n" }
        }.joined()
    }
}
