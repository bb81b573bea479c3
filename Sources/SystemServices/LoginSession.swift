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

    /// Returns true if logind knows a session of the user besides this one that is not ending. Without logind there is none.
    /// The sessions of the service manager and of timed jobs do not count: no user sits in front of them.
    package static func hasOthers(of user: UInt32, besides session: String?) -> Bool {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard sd_uid_get_sessions(user, 0, &names) >= 0, let names else { return false }
        defer { free(names) }
        var hasOthers = false
        var place = 0
        while let name = names[place] {
            if String(cString: name) != session && isOpen(name) && isOfUser(name) { hasOthers = true }
            free(name)
            place += 1
        }
        return hasOthers
    }

    private static func isOpen(_ name: UnsafePointer<CChar>) -> Bool {
        var state: UnsafeMutablePointer<CChar>?
        guard sd_session_get_state(name, &state) >= 0, let state else { return false }
        defer { free(state) }
        return String(cString: state) != "closing"
    }

    private static func isOfUser(_ name: UnsafePointer<CChar>) -> Bool {
        var kind: UnsafeMutablePointer<CChar>?
        // A session whose class is not known counts: the vault stays as it is.
        guard sd_session_get_class(name, &kind) >= 0, let kind else { return true }
        defer { free(kind) }
        return isOfUser(class: String(cString: kind))
    }

    /// Returns true for a class of sessions in which a user works. Since systemd 256, the service manager of a user has a
    /// session too, which lasts as long as the last other one or longer.
    package static func isOfUser(class name: String) -> Bool {
        !["manager", "manager-early", "background", "background-light"].contains(name)
    }
}
