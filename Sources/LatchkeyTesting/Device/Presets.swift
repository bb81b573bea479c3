internal import DeviceModel
internal import Latchkey

extension SimulatedDevice {
    /// Creates an iPhone with Face ID, set up by its owner.
    ///
    ///     let device = SimulatedDevice.iPhoneWithFaceID()
    public static func iPhoneWithFaceID(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.faceID, app, fidelity)
    }

    /// Creates an iPhone with Touch ID, set up by its owner.
    ///
    ///     let device = SimulatedDevice.iPhoneWithTouchID()
    public static func iPhoneWithTouchID(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.usual, app, fidelity)
    }

    /// Creates a Mac with Touch ID.
    ///
    /// A paired watch counts as user presence. Calls answer as code written for Macs expects: an update may have return
    /// keys, and a deletion may have a limit. An empty port is refused.
    ///
    ///     let device = SimulatedDevice.mac()
    public static func mac(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.mac, app, fidelity)
    }

    /// Creates a simulator as Xcode does: with a sensor, no enrolled face and no passcode.
    ///
    ///     let device = SimulatedDevice.simulator()
    public static func simulator(app: App = App(), fidelity: Fidelity = Fidelity()) -> SimulatedDevice {
        SimulatedDevice(.simulator, app, fidelity)
    }

    convenience init(_ preset: DevicePreset, _ app: App = App(), _ fidelity: Fidelity = Fidelity()) {
        var fidelity = fidelity
        preset.adjust(&fidelity)
        self.init(
            biometry: Biometry(preset.sensor), passcode: preset.passcode, enrolled: preset.enrolled, app: app,
            fidelity: fidelity)
    }
}
