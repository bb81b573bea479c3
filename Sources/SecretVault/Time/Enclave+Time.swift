internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Lets the time pass on the device of a real vault that has passed outside. A simulated device is told.
    mutating func keepTime() throws {
        guard let clock else { return }
        let uptime = clock.uptime()
        guard uptime > tick else { return }
        let effects = device.apply(.timePassed(TimeSpan(milliseconds: uptime - tick)))
        tick = uptime
        let store = store
        do {
            for effect in effects { try store.reserve.lend { try carryOut(effect, opening: .nothing) } }
        } catch {
            throw failClosed(error)
        }
    }

    /// Begins to keep time: first of all, what has passed since the device's hour was written.
    mutating func startClock(_ clock: VaultClock) {
        tick = clock.uptime()
        let passed = TimeSpan(milliseconds: clock.elapsed(since: device.now.milliseconds, bag.clock))
        _ = device.apply(.timePassed(passed))
        self.clock = clock
    }

    // MARK: - The dates of items

    /// The hour for the dates of items, in milliseconds since the first day of 2001: what the caller says, else what the clock
    /// on the wall says; on a simulated device, whose time passes when somebody says so, what its own clock says.
    func hour(for caller: Caller) -> Int64 {
        if let date = caller.date, let hour = Self.hour(of: date) { return hour }
        guard let clock else { return SimulatedTime.hour(at: device.now.milliseconds) }
        return clock.wall() - 978_307_200_000
    }

    /// A date in milliseconds; nil for one that no clock shows.
    static func hour(of date: Double) -> Int64? {
        date.isFinite && abs(date) < 1e14 ? Int64((date * 1000).rounded()) : nil
    }
}

/// What the clocks of simulated devices show.
enum SimulatedTime {
    /// The first moment of a simulated device, in milliseconds since the first day of 2001: the first of January 2026, at
    /// midnight in Greenwich. It is the same for all of them, so that a test has the same dates every time.
    private static let start: Int64 = 788_918_400_000

    /// The hour that it is so many milliseconds later. A clock that has come to its end stays there.
    static func hour(at now: Int64) -> Int64 {
        let (hour, isTooLate) = start.addingReportingOverflow(now)
        return isTooLate ? .max : hour
    }
}
