internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// What travels, and what comes back.
    static let aboutBackups: [ShippedClaim] = [
        ShippedClaim(
            "when-unlocked-falls-to-a-backup", "What travels can be read wherever it arrives.",
            [], in: .whenUnlocked, .never(.read, against: .backupThief), .fails, inSteps: 2),
        ShippedClaim(
            "this-device-only-never-travels", "A backup of it opens on the device that it is of.",
            [], .never(.read, against: .backupThief), .holds),
        ShippedClaim(
            "what-asks-somebody-never-travels", "A backup could not prove that somebody is there.",
            .userPresence, in: .whenUnlocked, .never(.read, against: .backupThief), .holds),
        ShippedClaim(
            "a-copy-elsewhere-destroys-nothing",
            "What happens to a copy on another device leaves the owner's item alone.",
            [], in: .whenUnlocked, .never(.destroy, against: .backupThief), .holds),
        ShippedClaim(
            "a-key-never-travels", "It never leaves its enclave.",
            .privateKeyUsage, in: .whenUnlocked, .never(.use, against: .backupThief), .holds),
        ShippedClaim(
            "an-erased-device-has-nothing", "Not even what is open always.",
            [], in: .always, .never(.read, against: .newOwner), .holds),
    ]
}
