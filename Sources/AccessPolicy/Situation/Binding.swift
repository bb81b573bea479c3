/// The identity of an enrolled set: the model's form of the opaque domain state hash that Apple returns.
public struct DomainState: Hashable, Sendable {
    /// The number of the sensor. A replaced sensor has a new number, and so does a fully reset one if
    /// ``Fidelity/sensorReset`` says so.
    public var sensor: UInt32
    /// The number of the set. Every enrollment change increases it.
    ///
    /// A former set never returns, even if the same fingers are enrolled again. This is a choice of the model, because
    /// no source says what Apple's system does.
    public var epoch: UInt32

    /// Creates the identity of a set of a sensor.
    public init(sensor: UInt32, epoch: UInt32) {
        self.sensor = sensor
        self.epoch = epoch
    }
}

/// The enrolled set and the class key that an item is bound to since it was stored.
public struct Binding: Hashable, Sendable {
    /// The enrolled set at that moment. An item that accepts any biometry is bound only to its sensor.
    public var domainState: DomainState
    /// The number of the *when passcode set* class key at that moment. Removing the passcode destroys the key for good.
    public var passcodeClassKey: UInt32

    /// Creates a binding to an enrolled set and a class key.
    public init(domainState: DomainState, passcodeClassKey: UInt32) {
        self.domainState = domainState
        self.passcodeClassKey = passcodeClassKey
    }
}
