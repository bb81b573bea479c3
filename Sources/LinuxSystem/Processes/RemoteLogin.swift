internal import Glibc

/// Logins over a network.
package enum RemoteLogin: Sendable {
    /// The names of the programs that serve them.
    private static let servers: Set = ["sshd", "sshd-session", "sshd-auth", "mosh-server", "dropbear"]

    /// The longest line of ancestors that is followed.
    private static let mostAncestors = 64

    /// Returns true if a server of logins over a network is among the ancestors of a process. A program that leaves its
    /// ancestors behind is not recognized.
    package static func contains(_ process: Int32) -> Bool {
        var process = process
        for _ in 0..<mostAncestors {
            guard process > 1, let status = ProcessStatus(of: process) else { return false }
            if let name = name(of: process), servers.contains(name) { return true }
            process = status.parent
        }
        return false
    }

    /// Returns true if such a server is among the ancestors of this process.
    package static var containsThisProcess: Bool { contains(getpid()) }

    private static func name(of process: Int32) -> String? {
        guard let bytes = SystemFile.bytes("/proc/\(process)/comm", atMost: 64) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
