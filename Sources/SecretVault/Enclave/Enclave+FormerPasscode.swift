internal import AccessPolicy
internal import DeviceModel

extension Enclave {
    /// Removes the wrap of the former passcode once its time is over, and destroys every earlier copy of it.
    mutating func endFormerWhenOver() throws {
        guard let former = bag.former, former.remaining(at: device.now) == 0 else { return }
        try destroyingTransaction { enclave in
            var bag = enclave.bag
            bag.former = nil
            try enclave.commit(bag, enclave.device, destroying: true)
        }
        audit.add(.event, "former passcode, over", hour: device.now.milliseconds)
    }

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
