internal import Glibc

/// How time goes for a real vault: within one start of the machine as long as it runs, asleep or awake; from one start to the
/// next as the clock on the wall says. It never goes back.
package struct VaultClock: Sendable {
    /// Which start of the machine this is.
    let boot: String
    /// How long the machine has been running, in milliseconds.
    let uptime: @Sendable () -> Int64
    /// What the clock on the wall says, in milliseconds since 1970.
    let wall: @Sendable () -> Int64

    /// A clock that goes as these say.
    package init(boot: String, uptime: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.boot = boot
        self.uptime = uptime
        self.wall = wall
    }

    /// The machine's own.
    static let system = VaultClock(
        boot: bootIdentifier(), uptime: { milliseconds(CLOCK_BOOTTIME) }, wall: { milliseconds(CLOCK_REALTIME) })

    /// How much time has passed since `hour` was written, at `mark` if that is known.
    func elapsed(since hour: Int64, _ mark: ClockMark?) -> Int64 {
        if let mark, mark.boot == boot { return max(0, uptime() - mark.uptime) }
        return max(0, wall() - hour)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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

/// When something was written, as the machine counts.
struct ClockMark: Equatable, Sendable {
    var boot: String
    var uptime: Int64

    /// No mark: a start without a name is like no other.
    static let none = ClockMark(boot: "", uptime: 0)
}

extension ClockMark: Stored {
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text("boot", &boot)
        try coder.number("uptime", &uptime)
    }
}
