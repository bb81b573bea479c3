internal import Glibc
internal import LinuxSystem

/// The clock of a real vault.
///
/// Between a start of the machine and the next, it follows the machine's uptime, asleep or awake. Across starts it
/// follows the wall clock. It never goes back.
package struct VaultClock: Sendable {
    /// The identifier of the present start of the machine.
    let boot: String
    /// Returns how long the machine has been running, in milliseconds.
    let uptime: @Sendable () -> Int64
    /// Returns the time on the wall clock, in milliseconds since 1970.
    let wall: @Sendable () -> Int64

    /// Creates a clock that reads its time from these closures.
    package init(boot: String, uptime: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.boot = boot
        self.uptime = uptime
        self.wall = wall
    }

    /// The machine's own clock.
    static let system = VaultClock(
        boot: bootIdentifier(), uptime: { SystemClock.sinceBoot.milliseconds },
        wall: { SystemClock.since1970.milliseconds })

    /// Returns the time that has passed since `hour` was written. `mark` is the machine's clock at that time, if known.
    func elapsed(since hour: Int64, _ mark: ClockMark?) -> Int64 {
        if let mark, mark.boot == boot { return max(0, uptime() - mark.uptime) }
        return max(0, wall() - hour)
    }

    private static func bootIdentifier() -> String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = read(file, &bytes, bytes.count)
        return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : ""
    }
}

/// A moment, as the machine counts: which start, and how long after it.
struct ClockMark: Equatable, Sendable {
    var boot: String
    var uptime: Int64

    /// The absence of a mark. A start without a name equals no other.
    static let none = ClockMark(boot: "", uptime: 0)
}

extension ClockMark: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("boot", &boot)
        try coder.number("uptime", &uptime)
    }
}
