internal import Glibc
internal import LinuxSystem

/// Sockets in the file system, and who could put something else in their place.
enum SocketFiles {
    /// Throws unless the folder of the socket is the user's own and nobody else's.
    static func requirePrivate(folder: String) throws(AgentError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .system(folder) }
        if status.st_mode & S_IFMT == S_IFLNK {
            throw AgentError(.agent, "\(folder) is a symbolic link: remove it, so that a folder is made in its place")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw AgentError(.agent, "\(folder) is no folder: move it away")
        }
        guard status.st_uid == geteuid() else {
            throw AgentError(
                .agent, "\(folder) belongs to user \(status.st_uid): set XDG_RUNTIME_DIR to a folder of your own")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw AgentError(.agent, "\(folder) is open to others: chmod go= \(folder)")
        }
        do {
            if let parent = try PathTrust.openParent(of: folder) {
                throw AgentError(.agent, "\(folder) lies below \(parent), which others may write to: move it")
            }
        } catch {
            if let fault = error as? AgentError { throw fault }
            throw AgentError(.agent, "\(folder): it cannot be told who may write to what is above it")
        }
    }

    /// Makes the folder where it is missing, and those above it that belong to it.
    static func make(folder: String) throws(AgentError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(folder) }
        try requirePrivate(folder: folder)
    }

    /// A socket that listens at `path`, in the place of what a former agent left there. Whoever calls this holds the lock
    /// of the vault's agent.
    static func listen(at path: String) throws(AgentError) -> Int32 {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
                throw AgentError(.agent, "\(path) is no socket of yours: move it away")
            }
            if let other = try connect(to: path) {
                close(other)
                throw AgentError(
                    .agent,
                    "somebody else listens at \(path), such as the agent of another vault: end it, or set "
                        + "XDG_RUNTIME_DIR to another folder")
            }
            unlink(path)
        }
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard listening >= 0 else { throw .system("a socket") }
        // Nobody can connect between the two calls whom the folder does not let in.
        let isListening = try withAddress(of: path) { bind(listening, $0, $1) == 0 }
        guard isListening, chmod(path, 0o600) == 0, Glibc.listen(listening, 512) == 0 else {
            let fault = AgentError.system(path)
            close(listening)
            throw fault
        }
        return listening
    }

    /// Removes what `listening` is bound to, unless something else was put in its place meanwhile.
    static func remove(_ path: String, of identity: Identity) {
        if Identity(path) == identity { unlink(path) }
    }

    /// Which file it is that has a path now.
    struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// A socket that is connected to the one at `path`; nil where nobody listens there.
    static func connect(to path: String) throws(AgentError) -> Int32? {
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

    /// Where a socket listens that somebody else has opened; nil where that has no path.
    static func path(of listening: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listening, $0, &size) == 0 }
        }
        guard isKnown, Int32(address.sun_family) == AF_UNIX else { return nil }
        let path = withUnsafeBytes(of: &address.sun_path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return path.isEmpty ? nil : path
    }

    private static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(AgentError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
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
