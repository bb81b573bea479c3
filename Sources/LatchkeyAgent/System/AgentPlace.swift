internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// Where a vault and the socket of its agent are.
package struct AgentPlace: Hashable, Sendable {
    /// The folder of the vault, with every link followed.
    package let vault: String
    /// The socket that its agent listens on.
    package let socket: String

    /// What is held by the one agent that a vault has, and says where that listens.
    var lockFile: String { vault + "/agent.lock" }
    /// What the vault's owner has chosen for it.
    var settingsFile: String { vault + "/settings.json" }
    /// The vault's own services for PAM.
    package var pamFolder: String { vault + "/pam.d" }

    /// Creates the place of the vault in `folder`, which exists.
    ///
    /// `usual` is the folder that commands use by default; nil if the environment names none. The socket of the vault there has
    /// a name that a service manager can know beforehand. `runtime` is the folder for what lasts as long as a login, as the
    /// environment names it.
    package init(vault folder: String, usual: String?, runtime: String?) {
        vault = Self.resolved(folder) ?? folder
        let isUsual = vault == usual.map { Self.resolved($0) ?? $0 }
        let sums = Checksum.of(Array(vault.utf8).span.bytes, count: 8)
        let name = isUsual ? "agent" : sums.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        if let runtime = runtime ?? Self.runtimeOfTheUser() {
            socket = "\(runtime)/latchkey/\(name).socket"
        } else {
            socket = vault + "/agent.socket"
        }
    }

    /// The same with the socket that the vault's present agent says it listens on.
    init(_ place: AgentPlace, socket: String) {
        vault = place.vault
        self.socket = socket
    }

    var socketFolder: String { String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)]) }

    private static func runtimeOfTheUser() -> String? {
        let path = "/run/user/\(geteuid())"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            return nil
        }
        return path
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        // A folder that text cannot name goes by the link that leads to it.
        return String(validatingCString: resolved)
    }
}

extension AgentError {
    /// What the system said about `path`, by `errno`.
    static func system(_ path: String, _ code: Int32 = errno) -> AgentError {
        AgentError(.agent, "\(path): \(SystemError(code))")
    }
}

extension AgentPlace {
    /// Throws unless the socket lies where nobody else can put another in its place; where the folder is still to be made, what
    /// it is made in.
    package func checkSocketFolder() throws(AgentError) {
        var status = stat()
        if lstat(socketFolder, &status) != 0 && errno == ENOENT { return }
        try SocketFiles.requirePrivate(folder: socketFolder)
    }
}
