internal import Latchkey

extension SimulatedDevice {
    /// The device of the whole process, which calls use outside of any `run`.
    ///
    /// Set it for code that leaves the task of its test, such as a detached task. Tests that use it must not run in
    /// parallel (`.serialized`): the trait `.device(reach: .process)` sees to that.
    ///
    ///     SimulatedDevice.processDefault = device
    ///     defer { SimulatedDevice.processDefault = nil }
    ///
    /// If no device is chosen, such calls fail their test: see ``allowsStrayCalls``.
    public static var processDefault: SimulatedDevice? {
        get { CurrentKeychain.ofProcess?.owner as? SimulatedDevice }
        set { CurrentKeychain.ofProcess = newValue.map { CurrentKeychain($0.keychain, of: $0) } }
    }
}
