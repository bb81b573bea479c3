internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about what a known passcode opens.
    static let aboutPasscodes: [ShippedClaim] = [
        ShippedClaim(
            "any-biometry-falls-to-the-passcode",
            "An attacker who knows the passcode enrolls a finger of their own, which opens the item.",
            .biometryAny, .never(.read, against: .passcodeThief), .fails, inSteps: 3),
        ShippedClaim(
            "current-set-holds-against-the-passcode",
            "A new finger does not belong to the set that the item is bound to.",
            .biometryCurrentSet, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "current-set-or-passcode-falls", "The passcode alone satisfies the policy.",
            [.biometryCurrentSet, .or, .devicePasscode], .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "current-set-and-passcode-holds", "The passcode alone is not enough.",
            [.biometryCurrentSet, .and, .devicePasscode], .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "any-biometry-and-passcode-falls", "A thief with one factor, the passcode, enrolls the other.",
            [.biometryAny, .and, .devicePasscode], .never(.read, against: .passcodeThief), .fails, inSteps: 3),
        ShippedClaim(
            "presence-falls-to-the-passcode", "The passcode satisfies user presence.",
            .userPresence, .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "passcode-falls-to-the-passcode", "The passcode opens the device, and then the item.",
            .devicePasscode, .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "passcode-holds-against-guesses",
            "No guess within the allowed attempts succeeds, and an unlocked device does not give the passcode away.",
            .devicePasscode, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "application-password-holds-against-the-passcode",
            "The device and its passcode do not give the application password away.",
            .applicationPassword, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "an-application-password-opens-on-a-locked-device",
            "An app that sets the password itself needs no prompt, so a locked screen is no obstacle.",
            .applicationPassword, in: .afterFirstUnlock, .never(.read, against: .insider), .fails, inSteps: 1),
        ShippedClaim(
            "an-application-password-opens-no-closed-class",
            "The class key of a locked device is not available.",
            .applicationPassword, .never(.read, against: .insider), .holds),
        ShippedClaim(
            "settings-ask-for-the-passcode", "Enrolling a finger takes the passcode, even on an unlocked device.",
            .biometryAny, .never(.read, against: .boldSnatcher), .holds),
    ]
}
