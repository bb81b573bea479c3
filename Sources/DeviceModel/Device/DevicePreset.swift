package import AccessPolicy

/// A kind of device, as far as Apple gives one a protection or a way in that others lack.
package enum DeviceKind: Hashable, Sendable {
    /// An iPhone, which alone has Stolen Device Protection.
    case iPhone
    /// A Mac, which a watch can unlock.
    case mac
    /// A simulator of Xcode.
    case simulator
}

/// A well-known kind of device, set up by its owner.
package struct DevicePreset: Sendable {
    /// The name that tests and scenario files use.
    package let name: String
    package let sensor: SensorKind
    /// The passcode; nil for none.
    package let passcode: String?
    /// The names of the enrolled fingers or faces.
    package let enrolled: [String]
    /// True if Stolen Device Protection is on and the device is away from familiar places.
    package var stolenDeviceProtection = false
    package let kind: DeviceKind

    private init(
        _ name: String, _ sensor: SensorKind, passcode: String? = "1234", enrolled: [String]? = nil,
        kind: DeviceKind = .iPhone
    ) {
        self.name = name
        self.sensor = sensor
        self.passcode = passcode
        self.enrolled = enrolled ?? sensor.usuallyEnrolled
        self.kind = kind
    }

    /// The device that is used where none is named: an iPhone with Touch ID.
    package static let usual = DevicePreset("iPhoneWithTouchID", .touchID)
    package static let faceID = DevicePreset("iPhoneWithFaceID", .faceID)
    package static let mac = DevicePreset("mac", .touchID, kind: .mac)
    /// A simulator as Xcode creates it: a sensor without enrollments, and no passcode.
    package static let simulator = DevicePreset("simulator", .faceID, passcode: nil, enrolled: [], kind: .simulator)

    package static let all = [usual, faceID, mac, simulator]

    /// The reason why Stolen Device Protection cannot be turned on; nil if it can.
    package var lackOfStolenDeviceProtection: String? {
        kind == .iPhone ? nil : "\(name) has no Stolen Device Protection: only an iPhone has it"
    }

    package var settings: DeviceSettings {
        var fidelity = Fidelity()
        adjust(&fidelity)
        return DeviceSettings(sensor: sensor, fidelity: fidelity, stolenDeviceProtection: stolenDeviceProtection)
    }

    /// Adapts the disputed choices to such a device. On a Mac a paired watch counts as user presence, and calls answer
    /// as code written for Macs expects.
    package func adjust(_ fidelity: inout Fidelity) {
        guard kind == .mac else { return }
        fidelity.presence = .biometryCompanionOrPasscode
        fidelity.resultOfUpdate = .ignored
        fidelity.limitOfDelete = .honored
        fidelity.emptyPort = .refused
    }
}

extension SensorKind {
    /// The names that the owner of a device with such a sensor has enrolled.
    package var usuallyEnrolled: [String] {
        switch self {
        case .none: []
        case .touchID: ["right index"]
        case .faceID: ["face"]
        case .opticID: ["eyes"]
        }
    }
}
