internal import Glibc
internal import LinuxSystem

/// A file by which the agents of one user tell one another that they have taken the key of a folder from the kernel.
///
/// The kernel keeps one claim to a key for each user. So a lock of one vault also locks a folder that another unlocked vault
/// of the same user has. That is the safe side: a lock never waits for the word of another process. The other agent
/// hears of it here, and gives its key again.
package final class FolderNotices: Sendable {
    /// The path of the file; nil if this agent shares no folder with others.
    package let path: String?

    /// Creates the file if it is missing.
    ///
    /// - Parameter folder: The private folder with the sockets of all agents of the user.
    package init(in folder: String?) {
        guard let folder else {
            path = nil
            return
        }
        let file = folder + "/folder-keys"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor >= 0 { close(descriptor) }
        path = descriptor >= 0 ? file : nil
    }

    /// Tells the other agents of the user that a key was taken. If that fails, they find out with their next look.
    func tell() {
        guard let path else { return }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        // A change without growth: the file stays at one byte.
        _ = pwrite(descriptor, &byte, 1, 0)
    }
}
