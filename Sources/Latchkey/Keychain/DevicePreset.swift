package import AccessPolicy
package import DeviceModel

/// A device that people know by name, set up by its owner.
package struct DevicePreset: Sendable {
    /// What it is called.
    package let name: String
    /// Its sensor.
    package let sensor: SensorKind
    /// Its passcode.
    package let passcode: String?
    /// Who is enrolled.
    package let enrolled: [String]
    /// True if Stolen Device Protection is on, away from familiar places.
    package var stolenDeviceProtection = false
    private let isMac: Bool
    private let isSimulator: Bool

    private init(
        _ name: String, _ sensor: SensorKind, passcode: String? = "1234", enrolled: [String]? = nil,
        isMac: Bool = false,
        isSimulator: Bool = false
    ) {
        self.name = name
        self.sensor = sensor
        self.passcode = passcode
        self.enrolled = enrolled ?? sensor.usuallyEnrolled
        self.isMac = isMac
        self.isSimulator = isSimulator
    }

    /// What a device is where nothing is said.
    package static let usual = DevicePreset("iPhoneWithTouchID", .touchID)
    /// An iPhone with Face ID.
    package static let faceID = DevicePreset("iPhoneWithFaceID", .faceID)
    /// A Mac with Touch ID.
    package static let mac = DevicePreset("mac", .touchID, isMac: true)
    /// A simulator as it comes: a sensor on which nobody is enrolled, and no passcode.
    package static let simulator = DevicePreset("simulator", .faceID, passcode: nil, enrolled: [], isSimulator: true)

    /// All of them.
    package static let all = [usual, faceID, mac, simulator]

    /// The reason why Stolen Device Protection cannot be turned on there; nil if it can.
    package var lackOfStolenDeviceProtection: String? {
        isMac || isSimulator ? "only an iPhone has Stolen Device Protection: \(name) is none" : nil
    }

    /// How it is made.
    package var settings: DeviceSettings {
        var fidelity = Fidelity()
        adjust(&fidelity)
        return DeviceSettings(sensor: sensor, fidelity: fidelity, stolenDeviceProtection: stolenDeviceProtection)
    }

    /// Settles what such a device does otherwise: on a Mac a watch that is paired counts as its user's presence, and code that is
    /// written for Macs gets what it expects.
    package func adjust(_ fidelity: inout Fidelity) {
        guard isMac else { return }
        fidelity.presence = .biometryCompanionOrPasscode
        fidelity.resultOfUpdate = .ignored
        fidelity.limitOfDelete = .honored
        fidelity.emptyPort = .refused
    }
}

extension SensorKind {
    /// Whom the owner of a device with such a sensor has enrolled.
    package var usuallyEnrolled: [String] {
        switch self {
        case .none: []
        case .touchID: ["right index"]
        case .faceID: ["face"]
        case .opticID: ["eyes"]
        }
    }
}
