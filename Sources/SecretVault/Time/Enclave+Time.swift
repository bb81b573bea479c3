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
        do {
            for effect in effects { try carryOut(effect, opening: .nothing) }
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
}
