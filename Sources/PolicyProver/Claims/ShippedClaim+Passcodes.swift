internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// What knowing the passcode is good for, and what not.
    static let aboutPasscodes: [ShippedClaim] = [
        ShippedClaim(
            "any-biometry-falls-to-the-passcode",
            "An attacker who knows the passcode enrolls a finger of their own, which is as good as any.",
            .biometryAny, .never(.read, against: .passcodeThief), .fails, inSteps: 3),
        ShippedClaim(
            "current-set-holds-against-the-passcode", "A new finger is none of the set that the item is bound to.",
            .biometryCurrentSet, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "current-set-or-passcode-falls", "The passcode is a way of its own.",
            [.biometryCurrentSet, .or, .devicePasscode], .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "current-set-and-passcode-holds", "The passcode alone is not enough.",
            [.biometryCurrentSet, .and, .devicePasscode], .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "any-biometry-and-passcode-falls", "Two factors of which the one makes the other are one.",
            [.biometryAny, .and, .devicePasscode], .never(.read, against: .passcodeThief), .fails, inSteps: 3),
        ShippedClaim(
            "presence-falls-to-the-passcode", "Who types the passcode is present.",
            .userPresence, .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "passcode-falls-to-the-passcode", "The passcode opens the device, and then the item.",
            .devicePasscode, .never(.read, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "passcode-holds-against-guesses",
            "Nobody guesses it within the attempts that there are; and what an unlocked device has learned is no passcode.",
            .devicePasscode, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "application-password-holds-against-the-passcode",
            "The password of the application is known to nobody who has only the device.",
            .applicationPassword, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "an-application-password-opens-on-a-locked-device",
            "An app that sets the password itself needs no prompt, so a locked screen is no obstacle.",
            .applicationPassword, in: .afterFirstUnlock, .never(.read, against: .insider), .fails, inSteps: 1),
        ShippedClaim(
            "an-application-password-opens-no-closed-class",
            "The class key of a locked device is not there to be used.",
            .applicationPassword, .never(.read, against: .insider), .holds),
        ShippedClaim(
            "settings-ask-for-the-passcode", "On an unlocked device no finger is enrolled without the passcode.",
            .biometryAny, .never(.read, against: .boldSnatcher), .holds),
    ]
}
