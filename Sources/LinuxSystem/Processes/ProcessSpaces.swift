internal import Glibc

/// The user namespace and the mount namespace of a process.
///
/// The system gives the number of a namespace to another one once nothing holds it. So compare them only with those of a process that
/// runs, such as this one.
package struct ProcessSpaces: Hashable, Sendable {
    private let user: [UInt64]
    private let mounts: [UInt64]

    /// Reads the namespaces of a process. Returns nil if there is no such process, or if this one may not look into it.
    package init?(of process: Int32) { self.init(in: "/proc/\(process)") }

    /// The namespaces of this process; nil if there is no /proc.
    package static var ofThisProcess: ProcessSpaces? { ProcessSpaces(in: "/proc/self") }

    private init?(in folder: String) {
        guard let user = Self.space("\(folder)/ns/user"), let mounts = Self.space("\(folder)/ns/mnt") else {
            return nil
        }
        (self.user, self.mounts) = (user, mounts)
    }

    private static func space(_ path: String) -> [UInt64]? {
        var status = stat()
        return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
