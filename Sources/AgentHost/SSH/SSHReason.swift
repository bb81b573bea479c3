internal import AgentProtocol
internal import LinuxSystem
internal import PlainText
package import SSHProtocol
internal import VaultService

/// The reason in the prompt for a signature. Every word of the client in it is quoted or has the form of a name.
package struct SSHReason: Sendable {
    private let hosts: KnownHosts
    /// Names that a host may have, from the client's command line and the settings of ssh. A file must confirm them.
    private let candidates: [String]

    /// Creates the reasons for hosts in these files, which may have the names of these candidates.
    package init(_ hosts: KnownHosts, candidates: [String]) { (self.hosts, self.candidates) = (hosts, candidates) }

    /// Creates the reasons for what the program with this command line wants.
    init(of command: [UInt8]) {
        hosts = .ofTheUser
        candidates = Self.names(in: command) + Self.names(inSettings: KnownHosts.homeOfTheUser + "/.ssh/config")
    }

    private static let longestCommand = 8192
    private static let longestSettings = 256 * 1024

    /// Returns the command line of a process, which may end before anyone reads its reasons.
    static func command(of process: Int32) -> [UInt8] {
        SystemFile.bytes("/proc/\(process)/cmdline", atMost: longestCommand) ?? []
    }

    private static func names(in command: [UInt8]) -> [String] {
        let words = command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        var port: String?
        if let place = words.firstIndex(of: "-p"), place + 1 < words.count { port = words[place + 1] }
        return words.dropFirst().flatMap { word -> [String] in
            var word = word.hasPrefix("ssh://") ? String(word.dropFirst(6)) : word
            if let at = word.lastIndex(of: "@") { word = String(word[word.index(after: at)...]) }
            // Also what scp has before a colon, and a port of its own.
            let host = String(word.prefix { $0 != ":" && $0 != "/" })
            let rest = word.dropFirst(host.count + 1)
            let ports = [port, rest.isEmpty ? nil : String(rest.prefix { $0 != "/" })].compactMap(\.self)
            return ports.map { "[\(host)]:\($0)" } + [host, word]
        }
    }

    private static func names(inSettings file: String) -> [String] {
        let bytes = SystemFile.regularBytes(file, atMost: longestSettings) ?? []
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).flatMap { line -> [String] in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "=" }
            guard let first = words.first, ["host", "hostname"].contains(first.lowercased()) else { return [] }
            return words.dropFirst().map(String.init).filter { !$0.contains { "*?!".contains($0) } }
        }
    }

    package func text(_ data: SSHSignedData, over route: SSHRoute) -> String {
        var words: String
        switch data {
        case .login(let login):
            let host = route.destination.map { name(of: $0.hostKey) } ?? "a host that it does not name"
            words = "log in to \(host) as \(Terminal.name(login.user))"
        case .certificate(let content): words = "sign an SSH certificate for \(Self.words(content))"
        case .file("git"): words = "sign a git commit or tag"
        case .file(let namespace): words = "sign a file (namespace \(Terminal.name(namespace)))"
        case .malformed, .other: words = "sign data that Latchkey does not know"
        }
        // The last hop is where the program runs. Behind a binding that was refused, there is a further one.
        let hops = (route.isBroken ? ["an unknown host"] : []) + route.hops.reversed().map { name(of: $0) }
        if let last = hops.first {
            words += ", forwarded from \(last)"
            if hops.count > 1 { words += " by way of \(hops.dropFirst().joined(separator: ", "))" }
        }
        return words
    }

    private static func words(_ content: SSHCertificateContent) -> String {
        let kind = content.isForHost ? "host" : "user"
        guard let first = content.names.first else { return "any \(kind)" }
        let others = content.names.count - 1
        return "the \(kind) \(Terminal.name(first))" + (others > 0 ? " and \(others) more" : "")
    }

    private func name(of host: SSHPublicKey) -> String {
        switch hosts.name(of: host, candidates: candidates) {
        case .known(let name): Terminal.name(name, also: "[]:")
        case .hashed: "the known host \(host.plain.fingerprint)"
        case .unknown: "the unknown host \(host.plain.fingerprint)"
        }
    }
}
