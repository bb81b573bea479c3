internal import Glibc
internal import LinuxSystem
internal import PlainText

/// Sockets in the file system, with checks that no other user can replace them.
package enum SocketFiles {
    /// Throws unless the folder of the socket belongs to the user and is closed to all others.
    package static func requirePrivate(folder: String) throws(AgentError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .system(folder) }
        if status.st_mode & S_IFMT == S_IFLNK {
            throw AgentError(.agent, "\(folder) is a symbolic link: remove it, and a folder will be created there")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw AgentError(.agent, "\(folder) is no folder: move it away")
        }
        guard status.st_uid == geteuid() else {
            throw AgentError(
                .agent, "\(folder) belongs to user \(status.st_uid): set XDG_RUNTIME_DIR to a folder of your own")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw AgentError(.agent, "\(folder) is open to others: run `chmod go= \(folder)`")
        }
        do {
            if let parent = try PathTrust.openParent(of: folder) {
                throw AgentError(.agent, "\(folder) lies below \(parent), which others may write to: move it")
            }
        } catch {
            if let fault = error as? AgentError { throw fault }
            throw AgentError(.agent, "\(folder): the permissions of the folders above it cannot be read")
        }
    }

    /// Creates the folder, and those above it that belong to it, if they are missing.
    package static func make(folder: String) throws(AgentError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(folder) }
        try requirePrivate(folder: folder)
    }

    /// Returns a socket that listens at `path`, after removing the socket of a former agent. The caller holds the lock
    /// of the vault's agent.
    package static func listen(at path: String) throws(AgentError) -> Int32 {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
                throw AgentError(.agent, "\(path) is no socket of yours: move it away")
            }
            if let other = try connect(to: path) {
                close(other)
                throw AgentError(
                    .agent,
                    "another process listens at \(path), such as the agent of another vault: end it, or set "
                        + "XDG_RUNTIME_DIR to another folder")
            }
            unlink(path)
        }
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard listening >= 0 else { throw .system("a socket") }
        // No other user can connect before chmod: the folder is closed to them.
        let isListening = try withAddress(of: path) { bind(listening, $0, $1) == 0 }
        guard isListening, chmod(path, 0o600) == 0, Glibc.listen(listening, 512) == 0 else {
            let fault = AgentError.system(path)
            close(listening)
            throw fault
        }
        return listening
    }

    /// Removes the socket at `path`, unless another file has replaced `listening` there.
    package static func remove(_ path: String, of identity: Identity) {
        if Identity(path) == identity { unlink(path) }
    }

    /// The identity of the file that is at a path now.
    package struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        package init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// Returns a socket that is connected to the one at `path`; nil if no process listens there.
    package static func connect(to path: String) throws(AgentError) -> Int32? {
        let connecting = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard connecting >= 0 else { throw .system("a socket") }
        while true {
            if try withAddress(of: path, { Glibc.connect(connecting, $0, $1) == 0 }) { break }
            if errno == EINTR { continue }
            let code = errno
            close(connecting)
            if [ENOENT, ECONNREFUSED, ENOTDIR].contains(code) { return nil }
            throw .system(path, code)
        }
        return connecting
    }

    /// Returns the path of a listening socket that another process has opened; nil if it has none.
    package static func path(of listening: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listening, $0, &size) == 0 }
        }
        guard isKnown, Int32(address.sun_family) == AF_UNIX else { return nil }
        let path = withUnsafeBytes(of: &address.sun_path) { bytes in
            PathText.text(bytes.prefix { $0 != 0 })
        }
        return path.isEmpty ? nil : path
    }

    private static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(AgentError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = PathText.bytes(path)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room, !bytes.contains(0) else {
            throw AgentError(
                .agent,
                "\(path) is too long for a socket, by \(bytes.count - room + 1) bytes: set XDG_RUNTIME_DIR to a folder "
                    + "with a shorter path")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
