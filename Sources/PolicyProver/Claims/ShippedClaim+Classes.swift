internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about accessibility classes and when their keys are available.
    static let aboutClasses: [ShippedClaim] = [
        ShippedClaim(
            "when-unlocked-is-closed-on-a-locked-device", "The lock discards the class key.",
            [], .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "after-first-unlock-is-open-on-a-locked-device", "The class key stays available until the next restart.",
            [], in: .afterFirstUnlockThisDeviceOnly, .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "after-first-unlock-is-closed-after-a-start", "The class key is not available before the first unlock.",
            [], in: .afterFirstUnlockThisDeviceOnly, .never(.read, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "when-unlocked-is-open-in-the-lock-grace", "The class key outlives the lock by the lock grace.",
            [], assuming: .init(held: .justLocked), .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "presence-holds-in-the-lock-grace",
            "The class key is still available, but a locked device shows no prompt.",
            .userPresence, assuming: .init(held: .justLocked), .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "always-is-open", "The class key needs no unlock.",
            [], in: .alwaysThisDeviceOnly, .never(.read, against: .lostPoweredOff), .fails, inSteps: 1),
        ShippedClaim(
            "always-with-presence-holds", "The class key is available, but a locked device shows no prompt.",
            .userPresence, in: .alwaysThisDeviceOnly, .never(.read, against: .lostPoweredOff), .holds),
        ShippedClaim(
            "an-unlocked-device-gives-what-asks-nobody", "Without flags, an unlocked device in hand is enough.",
            [], .never(.read, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "without-passcode-no-when-passcode-set", "Removing the passcode destroys the class key for good.",
            [], in: .whenPasscodeSetThisDeviceOnly, assuming: keepsItem,
            .alwaysCan(.read, by: .owner, against: .passcodeRemover), .fails,
            inSteps: 2),
        ShippedClaim(
            "without-passcode-when-unlocked-stays", "The owner sets another passcode and reads the item again.",
            [], assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .passcodeRemover), .holds),
    ]
}
