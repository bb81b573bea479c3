/// Which enrollment set a sensor has: the pure form of the opaque hash that Apple hands out.
public struct DomainState: Hashable, Sendable {
    /// Which sensor, or which life of it: a sensor that was replaced or wholly reset is another one.
    public var sensor: UInt32
    /// Counts the changes of enrollment. Every change starts a new epoch, so a set never comes back, even where the former
    /// fingers do: our choice (`model`), since no source tells what Apple's system does then.
    public var epoch: UInt32

    /// This set of this sensor.
    public init(sensor: UInt32, epoch: UInt32) {
        self.sensor = sensor
        self.epoch = epoch
    }
}

/// What an item was tied to when it was stored.
public struct Binding: Hashable, Sendable {
    /// The enrollment set of that moment; items that ask for any biometry are tied to its sensor only.
    public var domainState: DomainState
    /// Which *when passcode set* class key it was stored under; a removed passcode destroys the key for good.
    public var passcodeClassKey: UInt32

    /// Tied to this enrollment set and this class key.
    public init(domainState: DomainState, passcodeClassKey: UInt32) {
        self.domainState = domainState
        self.passcodeClassKey = passcodeClassKey
    }
}
