internal import Glibc

/// Something of which the system lets a process have only so much.
package enum LimitedResource: Hashable, Sendable {
    case openFiles
    case lockedMemory
    case fileSize
    case addressSpace
    case data
    case processorTime
    case processes
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

    /// How much the process may have, and how much it may let itself have.
    package struct Limit: Hashable, Sendable {
        /// The limit in force.
        package var current: UInt64
        /// The highest that the process can set.
        package var highest: UInt64

        /// Creates a limit.
        package init(current: UInt64, highest: UInt64) {
            self.current = current
            self.highest = highest
        }

        /// No limit at all.
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

    /// Raises the limit as far as the system lets the process, and returns what it is then.
    package func raise() -> UInt64 {
        let limit = limit
        let raised = Limit(current: limit.highest, highest: limit.highest)
        return limit == raised || set(raised) ? raised.current : limit.current
    }
}
