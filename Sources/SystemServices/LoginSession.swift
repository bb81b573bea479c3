internal import CSystemd
internal import Glibc

/// A login session, as logind knows it.
package enum LoginSession: Sendable {
    /// Returns true if logind knows that a process belongs to a session over a network.
    package static func isRemote(_ process: Int32) -> Bool {
        var name: UnsafeMutablePointer<CChar>?
        guard sd_pid_get_session(process, &name) >= 0, let name else { return false }
        defer { free(name) }
        return sd_session_is_remote(name) > 0
    }
}
