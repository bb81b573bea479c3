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
            "the system cannot provide \(bytes) bytes of memory: free some, or choose a smaller cost"
        }
    }
}
