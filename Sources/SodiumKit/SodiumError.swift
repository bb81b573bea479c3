/// Why guarded memory or a primitive is not to be had.
public enum SodiumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libsodium could not be started.
    case unavailable
    /// The process may lock no more memory; so many bytes are what it may lock.
    case lockLimit(bytes: UInt64)
    /// The locked arena is full.
    case arenaFull(bytes: Int)
    /// The system gives no more memory; so many bytes were wanted.
    case outOfMemory(bytes: Int)

    /// What is missing, and the way out.
    public var description: String {
        switch self {
        case .unavailable: "libsodium could not be started: the system gives no random numbers"
        case .lockLimit(let bytes):
            "keys must not be swapped out, and this process may lock only \(bytes / 1024) KiB of memory: raise the limit "
                + "(ulimit -l, or LimitMEMLOCK= in a service)"
        case .arenaFull(let bytes):
            "all \(bytes / 1024) KiB of locked memory hold keys and secrets: let go of secrets that are no longer needed"
        case .outOfMemory(bytes: 0): "the system gives no more memory: free some"
        case .outOfMemory(let bytes): "no memory for \(bytes) bytes: free some, or choose a smaller cost"
        }
    }
}
