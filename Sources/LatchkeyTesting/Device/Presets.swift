internal import Latchkey

extension SimulatedDevice {
    /// An iPhone with Face ID, set up by its owner.
    ///
    ///     let device = SimulatedDevice.iPhoneWithFaceID()
    public static func iPhoneWithFaceID(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.faceID, app, fidelity)
    }

    /// An iPhone with Touch ID, set up by its owner.
    ///
    ///     let device = SimulatedDevice.iPhoneWithTouchID()
    public static func iPhoneWithTouchID(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.usual, app, fidelity)
    }

    /// A Mac with Touch ID. A watch that is paired counts as its user's presence, and code that is written for Macs gets what it
    /// expects: an update may have return keys, and a removal a limit. An empty port is refused.
    ///
    ///     let device = SimulatedDevice.mac()
    public static func mac(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.mac, app, fidelity)
    }

    /// A simulator as it comes: a sensor on which nobody is enrolled, and no passcode.
    ///
    ///     let device = SimulatedDevice.simulator()
    public static func simulator(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.simulator, app, fidelity)
    }

    private convenience init(_ preset: DevicePreset, _ app: App, _ fidelity: Fidelity) {
        var fidelity = fidelity
        preset.adjust(&fidelity)
        self.init(
            biometry: Biometry(preset.sensor), passcode: preset.passcode, enrolled: preset.enrolled, app: app,
            fidelity: fidelity)
    }
}
