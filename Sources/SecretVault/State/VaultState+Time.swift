internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Starts the clock, and lets the time pass on the device that has gone by since its hour was written.
    func startClock(_ clock: VaultClock) {
        let passed = TimeSpan(milliseconds: clock.elapsed(since: device.now.milliseconds, bag.clock))
        ring.withdraw { contents in
            contents.start(clock)
            _ = contents.device.apply(.timePassed(passed))
        }
    }

    // MARK: - The dates of items

    /// Returns the time for the dates of items, in milliseconds since the first day of 2001: the caller's date if it
    /// has one, or the wall clock's, or on a simulated device the time of its own clock.
    func hour(for caller: Caller) -> Int64 {
        if let date = caller.date, let hour = ItemDate.milliseconds(of: date) { return hour }
        guard let clock = ring.clock else { return SimulatedTime.hour(at: device.now.milliseconds) }
        return clock.wall() - 978_307_200_000
    }
}
