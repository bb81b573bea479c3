internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Enclave {
    /// Begins to keep time: first of all, what has passed since the device's hour was written.
    func startClock(_ clock: VaultClock) {
        let passed = TimeSpan(milliseconds: clock.elapsed(since: device.now.milliseconds, bag.clock))
        ring.withdraw { contents in
            contents.start(clock)
            _ = contents.device.apply(.timePassed(passed))
        }
    }

    // MARK: - The dates of items

    /// The hour for the dates of items, in milliseconds since the first day of 2001: what the caller says, else what the clock
    /// on the wall says; on a simulated device, whose time passes when the caller says so, what its own clock says.
    func hour(for caller: Caller) -> Int64 {
        if let date = caller.date, let hour = ItemDate.milliseconds(of: date) { return hour }
        guard let clock = ring.clock else { return SimulatedTime.hour(at: device.now.milliseconds) }
        return clock.wall() - 978_307_200_000
    }
}
