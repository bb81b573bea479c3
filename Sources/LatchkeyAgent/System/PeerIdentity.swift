internal import Glibc
internal import LinuxSystem

extension Peer {
    /// Identifies the process at the other end of a connected socket. Returns nil if the system does not know it.
    init?(of socket: Int32) {
        guard let peer = SocketPeer(of: socket) else { return nil }
        let parent = Self.parent(of: peer.process)
        self.init(
            user: peer.user, client: Program(process: peer.process, path: Self.program(of: peer.process)),
            parent: parent.map { Program(process: $0, path: Self.program(of: $0)) })
    }

    private static func program(of process: pid_t) -> String? {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(process)/exe", &path, path.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the parent of a process: the fourth field in /proc/PID/stat. The second field, in parentheses, may
    /// contain anything.
    private static func parent(of process: pid_t) -> pid_t? {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let parent = Int32(String(decoding: fields[1], as: UTF8.self)), parent > 0 else {
            return nil
        }
        return parent
    }
}
