internal import Glibc

/// A clock of the system. Swift's own clocks calculate with 128 bits, and the agent reads a clock several times for each request.
package enum SystemClock: Sendable {
    /// The time since the machine was started, which also counts while it sleeps.
    case sinceBoot
    /// The time that the machine was awake.
    case awake
    /// The time that the machine was awake, quick to read and exact to some milliseconds.
    case awakeRoughly
    /// The time since 1970, which people may set.
    case since1970

    private var identifier: clockid_t {
        switch self {
        case .sinceBoot: CLOCK_BOOTTIME
        case .awake: CLOCK_MONOTONIC
        case .awakeRoughly: CLOCK_MONOTONIC_COARSE
        case .since1970: CLOCK_REALTIME
        }
    }

    package var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(identifier, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
    package var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
