internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Whether owners stay in.
    static let aboutOwners: [ShippedClaim] = [
        ShippedClaim(
            "a-loan-can-cost-the-item", "Deleting asks for no authentication, so one delete is the shortest attack.",
            .userPresence, .alwaysCan(.read, by: .owner, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "a-theft-can-cost-the-item", "One delete takes fewer steps than all wrong codes.",
            .biometryCurrentSet, .alwaysCan(.read, by: .owner, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-loan-does-no-harm",
            "If the app offers no way to delete the item, the owner gets back in after five minutes of anything.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .borrower), .holds),
        ShippedClaim(
            "a-usurper-locks-the-owner-out", "Another passcode and no finger leave nothing to come in by.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .usurper), .fails, inSteps: 3),
        ShippedClaim(
            "a-reset-sensor-is-another",
            "Where a reset makes it another one, what was bound to any finger of the former is lost.",
            .biometryAny, on: DeviceSettings(fidelity: .resetting(.replacesSensor)), assuming: keepsItem,
            .alwaysCan(.read, by: .owner, against: .fingerRemover), .fails,
            inSteps: 2),
        ShippedClaim(
            "presence-outlives-a-reset-sensor", "The passcode is left.",
            .userPresence, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .fingerRemover), .holds),
        ShippedClaim(
            "an-injured-finger-is-no-loss", "The passcode is left to an owner whose finger is not.",
            .userPresence, .eventuallyCan(.read, by: .injuredOwner), .holds, inSteps: 2),
        ShippedClaim(
            "an-injured-finger-loses-the-set", "Without a finger of the set there is no way.",
            .biometryCurrentSet, .eventuallyCan(.read, by: .injuredOwner), .fails),
        ShippedClaim(
            "a-backup-keeps-nobody-out", "Who has a copy has taken nothing away.",
            .userPresence, .alwaysCan(.read, by: .owner, against: .backupThief), .holds),
        ShippedClaim(
            "a-refused-sensor-locks-out", "Who refuses an app the use of a face leaves only the passcode.",
            .biometryAny, on: DeviceSettings(sensor: .faceID),
            assuming: keepsItem, .alwaysCan(.read, by: .forgetfulOwner, against: .refuser), .fails, inSteps: 1),
    ]
}
