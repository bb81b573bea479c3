package import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem

/// A file that another machine wrote, such as a backup.
package enum BroughtFile {
    /// Throws if the file cannot be read. Only the user of the other machine can read what that machine wrote, and a file system
    /// knows users by their numbers.
    package static func requireReadable(_ path: String) throws(AgentError) {
        guard access(path, R_OK) != 0 else { return }
        let error = SystemError.last
        var status = stat()
        guard error.code == EACCES, stat(path, &status) == 0, status.st_uid != geteuid() else {
            throw AgentError(.vault, "\(path): \(error)")
        }
        throw AgentError(
            .vault,
            "\(path): only user number \(status.st_uid) may read it, as you were on the machine that wrote it, and here you are "
                + "number \(geteuid()): run `sudo chown \(geteuid()) \(Shell.word(path))`")
    }
}
