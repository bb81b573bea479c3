internal import DeviceModel
internal import Foundation
internal import Latchkey

extension SimulatedDevice {
    /// Creates the device that the environment variable `LATCHKEY_DEVICE` names, or else an iPhone with Touch ID.
    ///
    /// The names are those of the functions that create well-known devices: `iPhoneWithTouchID`, `iPhoneWithFaceID`,
    /// `mac` and `simulator`. Any other name ends the program.
    ///
    ///     LATCHKEY_DEVICE=mac swift test
    public static func ofEnvironment() -> SimulatedDevice {
        guard let name = ProcessInfo.processInfo.environment["LATCHKEY_DEVICE"], !name.isEmpty else {
            return SimulatedDevice(.usual)
        }
        guard let preset = DevicePreset.all.first(where: { $0.name == name }) else {
            let names = DevicePreset.all.map(\.name).joined(separator: ", ")
            fatalError("LATCHKEY_DEVICE is \(name), which is no device. Set it to one of these: \(names).")
        }
        return SimulatedDevice(preset)
    }
}
