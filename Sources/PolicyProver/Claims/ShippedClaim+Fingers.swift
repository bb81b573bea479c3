internal import AccessPolicy
internal import DeviceModel

extension Fidelity {
    /// Returns the usual choices, except for the effect of a sensor reset.
    static func resetting(_ choice: SensorReset) -> Fidelity {
        var fidelity = Fidelity()
        fidelity.sensorReset = choice
        return fidelity
    }
}

extension ShippedClaim {
    /// Claims about biometry: whose finger opens an item, and when.
    static let aboutFingers: [ShippedClaim] = [
        ShippedClaim(
            "any-biometry-falls-to-a-coerced-finger", "The sensor cannot tell a forced finger from a willing one.",
            .biometryAny, .never(.read, against: .coercedFinger), .fails, inSteps: 2),
        ShippedClaim(
            "current-set-falls-to-a-coerced-finger", "The owner's finger belongs to the enrolled set.",
            .biometryCurrentSet, .never(.read, against: .coercedFinger), .fails, inSteps: 2),
        ShippedClaim(
            "biometry-and-passcode-holds-against-a-coerced-finger", "The finger alone is not enough.",
            [.biometryAny, .and, .devicePasscode], .never(.read, against: .coercedFinger), .holds),
        ShippedClaim(
            "a-restart-stops-a-coerced-finger", "After a restart, the device asks for the passcode first.",
            .biometryAny, .never(.read, against: .coercedRestart), .holds),
        ShippedClaim(
            "an-unknown-finger-opens-nothing", "The sensor rejects a finger that is not enrolled.",
            .biometryAny, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "a-full-sensor-takes-one-step-more",
            "If the sensor is full, an enrolled finger or face goes before another comes.",
            .biometryAny, on: DeviceSettings(sensor: .opticID, fidelity: .resetting(.keepsSensor)),
            .never(.read, against: .passcodeThief), .fails, inSteps: 4),
        ShippedClaim(
            "a-full-sensor-that-is-reset-is-another",
            "Only a sensor reset removes a pair of eyes. If the reset replaces the sensor, it invalidates the item.",
            .biometryAny, on: DeviceSettings(sensor: .opticID, fidelity: .resetting(.replacesSensor)),
            .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "theft-protection-stops-a-passcode-thief",
            "With Stolen Device Protection, the passcode alone enrolls no finger.",
            .biometryAny, on: DeviceSettings(stolenDeviceProtection: true), .never(.read, against: .passcodeThief),
            .holds),
        ShippedClaim(
            "theft-protection-leaves-what-the-passcode-opens",
            "Stolen Device Protection protects the settings, not the items.",
            .userPresence, on: DeviceSettings(stolenDeviceProtection: true), .never(.read, against: .passcodeThief),
            .fails, inSteps: 2),
        ShippedClaim(
            "theft-protection-has-the-owner-wait",
            "The owner authenticates by finger, waits an hour, and enrolls another one.",
            .biometryAny, on: DeviceSettings(stolenDeviceProtection: true), .goneAfterEnrollmentChange, .fails,
            inSteps: 5),
        ShippedClaim(
            "a-change-of-the-set-is-for-good", "Even the owner never reads an item of a former enrolled set again.",
            .biometryCurrentSet, .goneAfterEnrollmentChange, .holds),
        ShippedClaim(
            "a-change-of-the-set-leaves-any-biometry", "An item under any biometry accepts a new finger.",
            .biometryAny, .goneAfterEnrollmentChange, .fails, inSteps: 3),
        ShippedClaim(
            "a-change-of-the-set-leaves-the-passcode",
            "An item that the passcode also opens outlives the enrolled set.",
            [.biometryCurrentSet, .or, .devicePasscode], .goneAfterEnrollmentChange, .fails, inSteps: 3),
        ShippedClaim(
            "an-unlock-is-reused",
            "An app that reuses unlocks shows no prompt to a thief who snatches the unlocked device.",
            .biometryAny, reuse: .minutes(5), .never(.read, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "an-unlock-proves-no-passcode", "A reused unlock counts as biometry only.",
            [.biometryAny, .and, .devicePasscode], reuse: .minutes(5), .never(.read, against: .snatcher), .holds),
    ]
}
