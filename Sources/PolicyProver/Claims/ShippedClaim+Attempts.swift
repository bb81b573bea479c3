internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about failed attempts and who is locked out by them.
    static let aboutAttempts: [ShippedClaim] = [
        ShippedClaim(
            "wrong-fingers-lock-biometry",
            "After five wrong fingers, an owner who has forgotten the passcode is locked out.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .prankster), .fails,
            inSteps: 5),
        ShippedClaim(
            "the-passcode-ends-a-lockout", "An owner who knows the passcode ends the lockout.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .prankster), .holds),
        ShippedClaim(
            "a-restart-wants-the-passcode", "A restart locks out an owner who has forgotten the passcode.",
            .biometryAny, in: .afterFirstUnlock, assuming: keepsItem,
            .alwaysCan(.read, by: .forgetfulOwner, against: .restarter), .fails,
            inSteps: 1),
        ShippedClaim(
            "held-buttons-want-the-passcode",
            "Holding the buttons locks out an owner who has forgotten the passcode; a plain lock does not.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .buttonHolder), .fails,
            inSteps: 1),
        ShippedClaim(
            "weeks-unlocked-want-the-passcode",
            "Even a device that stays unlocked asks for the passcode again after some days.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .keeper), .fails,
            inSteps: 1),
        ShippedClaim(
            "days-locked-want-the-passcode", "After two days without an unlock, a finger no longer unlocks the device.",
            .biometryAny, assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .shelver), .fails,
            inSteps: 1),
        ShippedClaim(
            "five-minutes-use-up-no-attempts", "The delays between wrong passcodes outlast five minutes.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .hastyGuesser), .holds),
        ShippedClaim(
            "who-does-not-wait-uses-up-no-attempts", "The device takes no passcode during a delay.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .stubbornGuesser), .holds),
        ShippedClaim(
            "all-attempts-take-an-evening", "After ten wrong passcodes and five delays, the device takes no more.",
            .devicePasscode, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .fails,
            inSteps: 15),
        ShippedClaim(
            "ten-wrong-codes-erase", "If the device is set to erase itself, the owner loses the item too.",
            .devicePasscode, on: DeviceSettings(attemptEnd: .erases),
            assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .fails, inSteps: 15),
        ShippedClaim(
            "delays-alone-lock-nobody-out", "If wrong passcodes only ever cause delays, the owner waits and gets in.",
            .devicePasscode, on: DeviceSettings(attemptEnd: .keepsDelaying),
            assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .patientGuesser), .holds),
    ]
}
