internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The lock that the one agent of a vault holds as long as it lives. The file says which process that is and where it
/// listens, for clients whose environment names another socket.
package struct AgentLock: ~Copyable {
    private let file: Int32
    private let path: String

    package init(_ place: AgentPlace) throws(AgentError) {
        // Check first: root could create a lock file that the owner of the vault cannot open.
        let refusal = Self.refusal(at: place.vault)
        path = place.lockFile
        file = refusal == nil ? open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) : -1
        if let refusal { throw refusal }
        guard file >= 0 else { throw .system(path) }
        guard Self.acquire(file) else {
            close(file)
            let other = Self.read(place).map { " (process \($0.process), at \($0.socket))" } ?? ""
            throw AgentError(.agent, "the vault has an agent already\(other): latchkey agent stop ends it")
        }
    }

    /// Returns the error if the folder of the vault belongs to another user, as it does for root beside the vault of a user.
    private static func refusal(at vault: String) -> AgentError? {
        var status = stat()
        guard stat(vault, &status) == 0, status.st_uid != geteuid() else { return nil }
        let owner = getpwuid(status.st_uid)?.pointee.pw_name.flatMap { String(validatingCString: $0) }
        let user = owner ?? "#\(status.st_uid)"
        return AgentError(
            .agent,
            "the vault \(vault) belongs to \(owner ?? "user \(status.st_uid)"), and only an agent of that user opens it: run "
                + "the command as that user, for example with `sudo -u '\(user)' latchkey status`")
    }

    // A client that looks for an agent holds the lock for a moment.
    private static func acquire(_ file: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(20_000)
        }
        return false
    }

    deinit {
        // One byte keeps the file's room on the disk, so that the next agent can start on a full one.
        if pwrite(file, "\n", 1, 0) == 1 { ftruncate(file, 1) }
        close(file)
    }

    /// Writes the process and its socket into the file.
    package func say(_ socket: String) throws(AgentError) {
        let text = PathText.bytes("\(getpid())\n\(socket)\n")
        guard pwrite(file, text, text.count, 0) == text.count, ftruncate(file, off_t(text.count)) == 0 else {
            throw .system(path)
        }
    }

    /// False once the vault was moved away or replaced by another.
    package var isInPlace: Bool {
        var (held, there) = (stat(), stat())
        guard fstat(file, &held) == 0, lstat(path, &there) == 0 else { return false }
        return held.st_dev == there.st_dev && held.st_ino == there.st_ino
    }

    /// Returns true if an agent holds the lock, even one that does not listen yet.
    package static func isHeld(_ place: AgentPlace) -> Bool {
        let file = open(place.lockFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0
    }

    /// Returns the process that holds the lock and its socket; nil if there is none.
    package static func read(_ place: AgentPlace) -> (process: Int32, socket: String)? {
        let file = open(place.lockFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else { return nil }
        // If the lock can be taken, no agent holds it.
        if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let lines = PathText.text(bytes[..<count]).split(separator: "\n")
        guard lines.count == 2, let process = Int32(lines[0]) else { return nil }
        return (process, String(lines[1]))
    }
}
