internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// What tries come to, and who pays for them.
    static let aboutAttempts: [ShippedClaim] = [
        ShippedClaim(
            "wrong-fingers-lock-biometry", "Five of them, and an owner without the passcode is locked out.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .prankster), .fails,
            inSteps: 5),
        ShippedClaim(
            "the-passcode-ends-a-lockout", "An owner who knows it is not.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .prankster), .holds),
        ShippedClaim(
            "a-restart-wants-the-passcode", "An owner without it is locked out.",
            .biometryAny, in: .afterFirstUnlock, assuming: keepsItem,
            .alwaysCan(.read, by: .forgetfulOwner, against: .restarter), .fails,
            inSteps: 1),
        ShippedClaim(
            "held-buttons-want-the-passcode", "An owner without it is locked out; a plain lock opens to the finger.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .buttonHolder), .fails,
            inSteps: 1),
        ShippedClaim(
            "weeks-unlocked-want-the-passcode", "An unlocked device too wants it again at some time.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .keeper), .fails,
            inSteps: 1),
        ShippedClaim(
            "days-locked-want-the-passcode", "A finger does not open what nobody has unlocked for two days.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .shelver), .fails,
            inSteps: 1),
        ShippedClaim(
            "five-minutes-use-up-no-attempts", "The delays grow faster than the time goes.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .hastyGuesser), .holds),
        ShippedClaim(
            "who-does-not-wait-uses-up-no-attempts", "The device takes no code during a delay.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .stubbornGuesser), .holds),
        ShippedClaim(
            "all-attempts-take-an-evening", "Ten wrong codes and five delays, and the device takes no more.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .fails,
            inSteps: 15),
        ShippedClaim(
            "ten-wrong-codes-erase", "Where it is so set, nothing is left then, not even for who knows the code.",
            .devicePasscode, on: DeviceSettings(attemptEnd: .erases),
            assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .fails, inSteps: 15),
        ShippedClaim(
            "delays-alone-lock-nobody-out", "Where delays never end in more than another delay, the owner waits.",
            .devicePasscode, on: DeviceSettings(attemptEnd: .keepsDelaying),
            assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .holds),
    ]
}
