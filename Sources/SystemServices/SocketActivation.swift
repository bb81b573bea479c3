internal import Glibc

/// The sockets that systemd, or a service manager compatible with it, opened for this process before it started.
package enum SocketActivation: Sendable {
    /// The reason why the sockets cannot be used.
    package enum ActivationError: Error, Hashable, Sendable, CustomStringConvertible {
        /// An environment variable that describes the sockets does not hold a valid number. The values are its name and
        /// its text.
        case variable(String, String)
        /// This descriptor is not open.
        case closed(Int32)
        /// This descriptor is not a listening stream socket of this machine.
        case notListening(Int32)

        /// The reason, and what to do.
        package var description: String {
            switch self {
            case .variable(let name, let value):
                "\(name) is \"\(value)\" in the environment, which is not a number that systemd sets: unset it"
            case .closed(let descriptor):
                "descriptor \(descriptor) should be a socket, as LISTEN_FDS says, and is closed: unset LISTEN_FDS"
            case .notListening(let descriptor):
                """
                descriptor \(descriptor), which LISTEN_FDS hands over, is not a listening stream socket of this machine: \
                the unit needs ListenStream= with a path, and Accept=no
                """
            }
        }
    }

    /// The first descriptor that a service manager hands over.
    private static let first: Int32 = 3

    /// A socket, and the name that its unit has for it (`FileDescriptorName`).
    package struct Named: Hashable, Sendable {
        /// The descriptor.
        package let socket: Int32
        /// The name; empty if the service manager gives none.
        package let name: String
    }

    /// Returns the sockets for this process, in the order of the units. Returns none if there are none, and leaves
    /// sockets for another process alone.
    ///
    /// This removes the variables from the environment, so that no program started from here takes the sockets for its
    /// own. Call it once, while the process has only one thread.
    package static func sockets() throws(ActivationError) -> [Named] {
        let names = getenv("LISTEN_FDNAMES").map { String(cString: $0) } ?? ""
        defer { for name in ["LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        guard let process = try number("LISTEN_PID"), process == getpid(), let count = try number("LISTEN_FDS") else {
            return []
        }
        guard count > 0, count <= Int32.max - first else { throw .variable("LISTEN_FDS", "\(count)") }
        var sockets: [Int32] = []
        for descriptor in first..<first + count {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw .closed(descriptor) }
            sockets.append(descriptor)
        }
        for socket in sockets {
            guard option(SO_ACCEPTCONN, of: socket) == 1, option(SO_DOMAIN, of: socket) == AF_UNIX,
                option(SO_TYPE, of: socket) == Int32(SOCK_STREAM.rawValue)
            else { throw .notListening(socket) }
        }
        let parts = names.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return sockets.enumerated().map { place, socket in
            Named(socket: socket, name: place < parts.count ? parts[place] : "")
        }
    }

    private static func number(_ name: String) throws(ActivationError) -> Int32? {
        guard let value = getenv(name).map({ String(cString: $0) }) else { return nil }
        guard !value.hasPrefix("+"), let number = Int32(value) else { throw .variable(name, value) }
        return number
    }

    private static func option(_ name: Int32, of socket: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
