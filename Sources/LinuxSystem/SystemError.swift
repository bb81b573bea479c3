internal import Glibc

/// An error number of the system. Its description is the system's text for it.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number, such as `ENOENT`.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error that the last call into the system left for this thread.
    package static var last: SystemError { SystemError(errno) }

    package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
