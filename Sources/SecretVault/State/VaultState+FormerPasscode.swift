internal import AccessPolicy
internal import DeviceModel

extension VaultState {
    /// Removes the wrap of the former passcode once its time is over, and destroys every earlier copy of it.
    mutating func endFormerWhenOver() throws {
        guard isFormerOver else { return }
        let hasEnded = try recording { vault in
            try vault.destroyingTransaction { vault in
                // Another program may have ended it before this one held the lock, and may have set a new one.
                guard vault.isFormerOver else { return false }
                var bag = vault.bag
                bag.former = nil
                try vault.commit(bag, vault.device, destroying: true)
                return true
            }
        }
        if hasEnded { audit.add(.event, "former passcode, over", hour: device.now.milliseconds) }
    }

    private var isFormerOver: Bool { bag.former.map { $0.remaining(at: device.now) == 0 } ?? false }

    /// Counts a start of the machine with a clock that was set back, once.
    mutating func countStartInThePast() throws {
        guard var former = bag.former, let clock = ring.clock, bag.clock?.boot != clock.boot,
            clock.wall() < device.now.milliseconds
        else { return }
        former.countStartInThePast()
        var bag = bag
        bag.former = former
        try commit(bag, device, destroying: false)
    }
}
