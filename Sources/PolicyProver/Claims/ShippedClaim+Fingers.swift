internal import AccessPolicy
internal import DeviceModel

extension Fidelity {
    /// The usual answers, except for what a reset of the sensor leaves.
    static func resetting(_ choice: SensorReset) -> Fidelity {
        var fidelity = Fidelity()
        fidelity.sensorReset = choice
        return fidelity
    }
}

extension ShippedClaim {
    /// What a finger is good for, whose and when.
    static let aboutFingers: [ShippedClaim] = [
        ShippedClaim(
            "any-biometry-falls-to-a-coerced-finger", "A finger does not know whose will it follows.",
            .biometryAny, .never(.read, against: .coercedFinger), .fails, inSteps: 2),
        ShippedClaim(
            "current-set-falls-to-a-coerced-finger", "The owner's finger is one of the set.",
            .biometryCurrentSet, .never(.read, against: .coercedFinger), .fails, inSteps: 2),
        ShippedClaim(
            "biometry-and-passcode-holds-against-a-coerced-finger", "The finger alone is not enough.",
            [.biometryAny, .and, .devicePasscode], .never(.read, against: .coercedFinger), .holds),
        ShippedClaim(
            "a-restart-stops-a-coerced-finger", "After a start the device wants the passcode.",
            .biometryAny, .never(.read, against: .coercedRestart), .holds),
        ShippedClaim(
            "an-unknown-finger-opens-nothing", "The sensor tells the owner's finger from another.",
            .biometryAny, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "a-full-sensor-takes-one-step-more",
            "Where there is room for one, somebody has to go before another comes.",
            .biometryAny, on: DeviceSettings(sensor: .opticID, fidelity: .resetting(.keepsSensor)),
            .never(.read, against: .passcodeThief), .fails, inSteps: 4),
        ShippedClaim(
            "a-full-sensor-that-is-reset-is-another",
            "Eyes go only by a reset of the sensor, and where that makes it another one, the item goes with it.",
            .biometryAny, on: DeviceSettings(sensor: .opticID, fidelity: .resetting(.replacesSensor)),
            .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "theft-protection-stops-a-passcode-thief", "The passcode alone enrolls no finger then.",
            .biometryAny, on: DeviceSettings(stolenDeviceProtection: true), .never(.read, against: .passcodeThief),
            .holds),
        ShippedClaim(
            "theft-protection-leaves-what-the-passcode-opens", "It protects settings, and no item.",
            .userPresence, on: DeviceSettings(stolenDeviceProtection: true), .never(.read, against: .passcodeThief),
            .fails, inSteps: 2),
        ShippedClaim(
            "theft-protection-has-the-owner-wait",
            "The owner authenticates by finger, waits an hour, and enrolls another one.",
            .biometryAny, on: DeviceSettings(stolenDeviceProtection: true), .goneAfterEnrollmentChange, .fails,
            inSteps: 5),
        ShippedClaim(
            "a-change-of-the-set-is-for-good", "Even the owner never comes back to an item of a former set.",
            .biometryCurrentSet, .goneAfterEnrollmentChange, .holds),
        ShippedClaim(
            "a-change-of-the-set-leaves-any-biometry", "An item under any biometry takes the new finger.",
            .biometryAny, .goneAfterEnrollmentChange, .fails, inSteps: 3),
        ShippedClaim(
            "a-change-of-the-set-leaves-the-passcode", "What the passcode opens as well outlives the set.",
            [.biometryCurrentSet, .or, .devicePasscode], .goneAfterEnrollmentChange, .fails, inSteps: 3),
        ShippedClaim(
            "an-unlock-is-reused",
            "An app that reuses unlocks asks nobody who snatches a device that was just unlocked.",
            .biometryAny, reuse: .minutes(5), .never(.read, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "an-unlock-proves-no-passcode", "Reuse stands for biometry and nothing else.",
            [.biometryAny, .and, .devicePasscode], reuse: .minutes(5), .never(.read, against: .snatcher), .holds),
    ]
}
