internal import Latchkey
internal import Synchronization

private let chosen = Mutex<SimulatedDevice?>(nil)

extension SimulatedDevice {
    /// The device that calls mean outside of any ``run(_:)-(()->Result)``, on whatever thread: for code that hops to plain Dispatch
    /// queues or threads. It is one for the whole process, so tests that use it must not run beside each other (`.serialized`).
    ///
    ///     SimulatedDevice.processDefault = device
    ///     defer { SimulatedDevice.processDefault = nil }
    ///
    /// Where nothing is chosen, calls mean a device that is made for them, and kept.
    public static var processDefault: SimulatedDevice? {
        get { chosen.withLock { $0 } }
        set {
            chosen.withLock { $0 = newValue }
            Keychain.use(newValue?.keychain)
        }
    }
}
