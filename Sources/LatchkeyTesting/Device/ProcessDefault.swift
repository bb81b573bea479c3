internal import Latchkey

extension SimulatedDevice {
    /// The device of the whole process, which calls use outside of any `run`.
    ///
    /// Set it for code that moves to a Dispatch queue or a thread. Tests that use it must not run in parallel
    /// (`.serialized`).
    ///
    ///     SimulatedDevice.processDefault = device
    ///     defer { SimulatedDevice.processDefault = nil }
    ///
    /// If no device is chosen, such calls share one that is made for them.
    public static var processDefault: SimulatedDevice? {
        get { CurrentKeychain.ofProcess?.owner as? SimulatedDevice }
        set { CurrentKeychain.ofProcess = newValue.map { CurrentKeychain($0.keychain, of: $0) } }
    }
}
