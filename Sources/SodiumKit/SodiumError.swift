internal import Glibc

/// An error of guarded memory or of libsodium.
public enum SodiumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libsodium could not start.
    case unavailable
    /// The process may lock no more memory. `bytes` is its limit.
    case lockLimit(bytes: UInt64)
    /// The locked arena is full. `bytes` is its size.
    case arenaFull(bytes: Int)
    /// The system has no more memory. `bytes` is the size of the request.
    case outOfMemory(bytes: Int)
    /// The process may use no more address space. `bytes` is its limit.
    case addressSpace(bytes: UInt64)

    /// The reason for the error, and what to do.
    public var description: String {
        switch self {
        case .unavailable: "libsodium could not start, because the system provides no random numbers"
        case .lockLimit(let bytes):
            """
            keys must not be swapped out, and this process may lock only \(bytes / 1024) KiB of memory: raise the limit \
            with `ulimit -l`, or with LimitMEMLOCK= in a service
            """
        case .arenaFull(let bytes):
            "keys and secrets use all \(bytes / 1024) KiB of locked memory: release secrets that you no longer need"
        case .outOfMemory(bytes: 0): "the system has no memory left: free some and try again"
        case .outOfMemory(let bytes):
            "the system cannot provide \(bytes) bytes of memory: free some and try again"
        case .addressSpace(let bytes):
            """
            this process may use only \(bytes / 1024) KiB of address space: raise the limit with `ulimit -v`, or with \
            LimitAS= in a service
            """
        }
    }

    /// Returns the error for a request of this many bytes that the system refused. A limit on the address space is the reason
    /// if there is one: the system itself refuses none.
    static func refused(bytes: Int) -> SodiumError {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return .outOfMemory(bytes: bytes)
        }
        return .addressSpace(bytes: UInt64(limit.rlim_cur))
    }
}
