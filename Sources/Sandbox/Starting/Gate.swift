internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The socket at which bwrap waits before it starts the command.
final class Gate: Sendable {
    /// The end of this process. A copy is open in the sandbox, but not in the command: while it is, bwrap waits for a message and for
    /// nothing else, even if this process ends.
    let ours: Int32
    /// The end from which bwrap reads.
    let theirs: Int32
    private let isHandedOver = Atomic(false)

    init() throws(SandboxError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system("have a socket", .last) }
        (ours, theirs) = (ends[0], ends[1])
    }

    deinit {
        handOver()
        close(ours)
    }

    /// Closes the end of bwrap here, once it has it.
    func handOver() { if !isHandedOver.exchange(true, ordering: .relaxed) { close(theirs) } }

    /// Waits until the first process inside waits for the message. Returns false if it has ended instead.
    func waitUntilReady(_ first: Int32) -> Bool {
        while true {
            var waited = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
            if poll(&waited, 1, 1) > 0 { return false }
            if hasGivenUpRights(first) { return true }
        }
    }

    /// Returns true if a process has no capabilities. bwrap has them until everything inside is arranged, and then reads the message.
    private func hasGivenUpRights(_ process: Int32) -> Bool {
        guard let status = SystemFile.bytes("/proc/\(process)/status", atMost: 8192) else { return false }
        let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "CapEff:".utf8) }
        return line?.dropFirst(7).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "\t") } ?? false
    }

    /// Lets the command start. Returns false if bwrap has ended.
    func open() -> Bool { send(ours, [1], 1, Int32(MSG_NOSIGNAL)) == 1 }
}
