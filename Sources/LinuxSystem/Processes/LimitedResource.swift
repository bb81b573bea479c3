internal import Glibc

/// A resource that the system limits for each process.
package enum LimitedResource: Hashable, Sendable {
    case openFiles
    /// Locked memory, in bytes.
    case lockedMemory
    /// The size of a file, in bytes.
    case fileSize
    /// Address space, in bytes.
    case addressSpace
    /// Memory for data, in bytes.
    case data
    /// Processor time, in seconds.
    case processorTime
    /// Processes of the user.
    case processes
    /// The size of a core dump, in bytes.
    case cores

    private var number: __rlimit_resource_t {
        switch self {
        case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        case .lockedMemory: __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
        case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
        case .data: __rlimit_resource_t(RLIMIT_DATA.rawValue)
        case .processorTime: __rlimit_resource_t(RLIMIT_CPU.rawValue)
        case .processes: __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        case .cores: __rlimit_resource_t(RLIMIT_CORE.rawValue)
        }
    }

    /// A limit, and how far the process may raise it.
    package struct Limit: Hashable, Sendable {
        package var current: UInt64
        /// The highest limit that the process can set.
        package var highest: UInt64

        package init(current: UInt64, highest: UInt64) {
            self.current = current
            self.highest = highest
        }

        package static let none = Limit(current: .max, highest: .max)
    }

    /// The limit of this process. It is ``Limit/none`` if the system does not say.
    package var limit: Limit {
        var limit = rlimit()
        guard getrlimit(number, &limit) == 0 else { return .none }
        return Limit(current: UInt64(limit.rlim_cur), highest: UInt64(limit.rlim_max))
    }

    /// Sets the limit of this process and of those that it starts. Returns false if the system refuses.
    package func set(_ limit: Limit) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(limit.current), rlim_max: rlim_t(limit.highest))
        return setrlimit(number, &limit) == 0
    }

    /// Raises the limit as far as the system permits, and returns the resulting limit.
    package func raise() -> UInt64 {
        let limit = limit
        let raised = Limit(current: limit.highest, highest: limit.highest)
        return limit == raised || set(raised) ? raised.current : limit.current
    }
}
