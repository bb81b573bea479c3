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

    /// True if calls for which no device was chosen are no mistake. They use a device that all of them share.
    ///
    /// Otherwise, such a call fails the test whose task made it, if the process has a simulated device. If the test is
    /// unknown, it fails the process at its end. The environment variable `LATCHKEY_STRAY_CALLS=allowed` sets this from
    /// the start.
    ///
    ///     SimulatedDevice.allowsStrayCalls = true
    public static var allowsStrayCalls: Bool {
        get { StrayCalls.areAllowed }
        set { StrayCalls.areAllowed = newValue }
    }
}
