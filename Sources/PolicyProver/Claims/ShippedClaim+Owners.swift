internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about attacks that lock the owner out.
    static let aboutOwners: [ShippedClaim] = [
        ShippedClaim(
            "a-loan-can-cost-the-item", "Deleting asks for no authentication, so the shortest attack is one delete.",
            .userPresence, .alwaysCan(.read, by: .owner, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "a-theft-can-cost-the-item", "Deleting the item takes fewer steps than using up all passcode attempts.",
            .biometryCurrentSet, .alwaysCan(.read, by: .owner, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-loan-does-no-harm",
            "If the app offers no way to delete the item, no borrower locks the owner out in five minutes.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .borrower), .holds),
        ShippedClaim(
            "a-usurper-locks-the-owner-out", "With another passcode and no enrolled finger, the owner has no way in.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .usurper), .fails, inSteps: 3),
        ShippedClaim(
            "a-reset-sensor-is-another",
            "If a reset replaces the sensor, it invalidates every item that only biometry opens.",
            .biometryAny, on: DeviceSettings(fidelity: .resetting(.replacesSensor)), assuming: keepsItem,
            .alwaysCan(.read, by: .owner, against: .fingerRemover), .fails,
            inSteps: 2),
        ShippedClaim(
            "presence-outlives-a-reset-sensor", "After a sensor reset, the passcode still opens the item.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .fingerRemover), .holds),
        ShippedClaim(
            "an-injured-finger-is-no-loss", "An owner whose finger no longer matches uses the passcode.",
            .userPresence, .eventuallyCan(.read, by: .injuredOwner), .holds, inSteps: 2),
        ShippedClaim(
            "an-injured-finger-loses-the-set", "Without a finger of the enrolled set, the owner has no way in.",
            .biometryCurrentSet, .eventuallyCan(.read, by: .injuredOwner), .fails),
        ShippedClaim(
            "a-backup-keeps-nobody-out", "A thief with a copy has taken nothing from the owner.",
            .userPresence, .alwaysCan(.read, by: .owner, against: .backupThief), .holds),
        ShippedClaim(
            "a-refused-sensor-locks-out",
            "If an attacker refuses the app the use of Face ID, only the passcode is left.",
            .biometryAny, on: DeviceSettings(sensor: .faceID),
            assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .refuser), .fails, inSteps: 1),
    ]
}
