internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A tie of the first process inside to this one: it is killed if this process ends without a release.
///
/// bwrap ends with the process that started it, but the first process inside takes part in that only once the command starts. Until
/// then it would wait for ever. A shell outside waits with it.
final class Tie: Sendable {
    private let writing: Int32
    private let shell: Int32
    private let isReleased = Atomic(false)

    /// Ties a process to this one.
    init(_ process: Int32) throws(SandboxError) {
        var ends: [Int32] = [-1, -1]
        // A socket, because a write to one whose reader is gone need not send a signal.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system("have a socket", .last) }
        defer { close(ends[1]) }
        var child = Child()
        child.input = .descriptor(ends[1])
        child.output = .nothing
        child.errors = .nothing
        child.company = .ownSession
        child.closesOthers = true
        let script = "read -r released || kill -9 \(process)"
        do {
            shell = try child.start("/bin/sh", ["sh", "-c", script], environment: Bubblewrap.environment)
        } catch {
            close(ends[0])
            throw .system("end together with this process", error)
        }
        writing = ends[0]
    }

    deinit { release() }

    /// Unties the process, which must have ended. Its number may be another one's later.
    func release() {
        if isReleased.exchange(true, ordering: .relaxed) { return }
        let line: [UInt8] = [UInt8(ascii: "x"), UInt8(ascii: "\n")]
        send(writing, line, line.count, Int32(MSG_NOSIGNAL))
        close(writing)
        _ = Start.reap(shell)
    }
}
