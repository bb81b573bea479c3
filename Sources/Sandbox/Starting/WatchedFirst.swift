internal import Glibc
internal import LinuxSystem

/// The first process inside a sandbox, by a descriptor that no later process of its number has.
final class WatchedFirst: Sendable {
    private let watched: WatchedProcess

    /// Watches a process that waits at its gate.
    init(_ process: Int32) { watched = WatchedProcess(process) }

    /// Kills the process, and with it all others inside.
    func kill() { _ = watched.send(SIGKILL) }

    /// Waits until the process has ended.
    func waitForEnd() { while !watched.isGone(within: .max) {} }
}
