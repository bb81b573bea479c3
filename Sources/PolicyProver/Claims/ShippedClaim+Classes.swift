internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// When class keys are open.
    static let aboutClasses: [ShippedClaim] = [
        ShippedClaim(
            "when-unlocked-is-closed-on-a-locked-device", "The class key goes with the lock.",
            [], .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "after-first-unlock-is-open-on-a-locked-device", "Its class key stays until the next start.",
            [], in: .afterFirstUnlockThisDeviceOnly, .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "after-first-unlock-is-closed-after-a-start", "Nobody has unlocked the device yet.",
            [], in: .afterFirstUnlockThisDeviceOnly, .never(.read, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "when-unlocked-is-open-in-the-lock-grace", "The class key outlives the lock by the grace.",
            [], assuming: .init(held: .justLocked), .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "presence-holds-in-the-lock-grace", "The class key is open, and the locked screen shows no prompt.",
            .userPresence, assuming: .init(held: .justLocked), .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "always-is-open", "Its class key needs nobody.",
            [], in: .alwaysThisDeviceOnly, .never(.read, against: .lostPoweredOff), .fails, inSteps: 1),
        ShippedClaim(
            "always-with-presence-holds", "The class key is open, and the locked screen shows no prompt.",
            .userPresence, in: .alwaysThisDeviceOnly, .never(.read, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "an-unlocked-device-gives-what-asks-nobody", "Without flags the device in the hand is enough.",
            [], .never(.read, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "without-passcode-no-when-passcode-set", "Its class key is destroyed with the passcode, for good.",
            [], in: .whenPasscodeSetThisDeviceOnly, assuming: keepsItem,
            .alwaysCan(.read, by: .owner, against: .passcodeRemover), .fails,
            inSteps: 2),
        ShippedClaim(
            "without-passcode-when-unlocked-stays", "The owner sets another passcode and reads on.",
            [], assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .passcodeRemover), .holds),
    ]
}
