internal import Latchkey

extension SimulatedDevice {
    /// The device that calls mean outside of any ``run(_:)-(()->Result)``, on whatever thread: for code that hops to plain Dispatch
    /// queues or threads. It is one for the whole process, so tests that use it must not run beside each other (`.serialized`).
    ///
    ///     SimulatedDevice.processDefault = device
    ///     defer { SimulatedDevice.processDefault = nil }
    ///
    /// Where nothing is chosen, calls mean a device that is made for them, and kept.
    public static var processDefault: SimulatedDevice? {
        get { CurrentKeychain.ofProcess?.owner as? SimulatedDevice }
        set { CurrentKeychain.ofProcess = newValue.map { CurrentKeychain($0.keychain, of: $0) } }
    }
}
