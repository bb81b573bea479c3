internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The place of a vault and of its agent's socket.
package struct AgentPlace: Hashable, Sendable {
    /// The folder of the vault, without symbolic links.
    package let vault: String
    /// The path of the agent's socket.
    package let socket: String

    /// True if the socket has the fixed name of the default vault's, which a service manager knows in advance.
    package var isUsual: Bool { socket.hasSuffix("/latchkey/agent.socket") }

    /// The lock file of the agent, which says where it listens.
    package var lockFile: String { vault + "/agent.lock" }
    /// The list of keys that SSH clients see.
    package var sshKeysFile: String { vault + "/ssh-keys.json" }
    /// The folder for files of their public keys.
    package var sshFolder: String { vault + "/ssh" }
    /// The path of the socket for SSH clients, beside the agent's own.
    package var sshSocket: String {
        let name = socket.dropLast(".socket".count)
        return name.hasSuffix("/agent") ? "\(name.dropLast("agent".count))ssh.socket" : "\(name)-ssh.socket"
    }
    /// The folder for PAM services of the vault itself.
    package var pamFolder: String { vault + "/pam.d" }

    /// Creates the place of the vault in `folder`, which has to exist.
    ///
    /// - Parameters:
    ///   - folder: The folder of the vault.
    ///   - usual: The folder that commands use by default; nil if the environment names none. The socket of that vault
    ///     has a fixed name, which a service manager knows in advance.
    ///   - runtime: The folder for files of this login (`XDG_RUNTIME_DIR`); nil if the environment names none.
    package init(vault folder: String, usual: String?, runtime: String?) {
        let vault = realpath(folder) ?? folder
        self.vault = vault
        // Compare bytes: equal strings can be different paths.
        let isUsual = usual.map { vault.utf8.elementsEqual((realpath($0) ?? $0).utf8) } ?? false
        let sums = Checksum.of(PathText.bytes(vault).span.bytes, count: 8)
        let name = isUsual ? "agent" : sums.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        if let runtime = runtime ?? Self.runtimeOfTheUser() {
            socket = "\(runtime)/latchkey/\(name).socket"
        } else {
            socket = vault + "/agent.socket"
        }
    }

    /// Creates the same place with the socket that the vault's present agent has published.
    package init(_ place: AgentPlace, socket: String) {
        vault = place.vault
        self.socket = socket
    }

    package var socketFolder: String { String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)]) }

    private static func runtimeOfTheUser() -> String? {
        let path = "/run/user/\(geteuid())"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            return nil
        }
        return path
    }
}

extension AgentError {
    /// Returns the error of the system about `path`, from `errno`.
    package static func system(_ path: String, _ code: Int32 = errno) -> AgentError {
        AgentError(.agent, "\(path): \(SystemError(code))")
    }
}

extension AgentPlace {
    /// Throws if another user could replace the socket. If its folder does not exist yet, checks the folder that it
    /// would be created in.
    package func checkSocketFolder() throws(AgentError) {
        var status = stat()
        if lstat(socketFolder, &status) != 0 && errno == ENOENT { return }
        try SocketFiles.requirePrivate(folder: socketFolder)
    }
}
