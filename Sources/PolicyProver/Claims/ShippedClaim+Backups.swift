internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about backups: which items travel, and which come back.
    static let aboutBackups: [ShippedClaim] = [
        ShippedClaim(
            "when-unlocked-falls-to-a-backup",
            "An item that travels in a backup can be read on the device that receives it.",
            [], in: .whenUnlocked, .never(.read, against: .backupThief), .fails, inSteps: 2),
        ShippedClaim(
            "this-device-only-never-travels", "Its backup opens only on the device that made it.",
            [], .never(.read, against: .backupThief), .holds),
        ShippedClaim(
            "what-asks-somebody-never-travels", "An item that asks for authentication never moves to another device.",
            .userPresence, in: .whenUnlocked, .never(.read, against: .backupThief), .holds),
        ShippedClaim(
            "a-copy-elsewhere-destroys-nothing",
            "Changes to a copy on another device do not touch the owner's item.",
            [], in: .whenUnlocked, .never(.destroy, against: .backupThief), .holds),
        ShippedClaim(
            "a-key-never-travels", "A private key never leaves its enclave.",
            .privateKeyUsage, in: .whenUnlocked, .never(.use, against: .backupThief), .holds),
        ShippedClaim(
            "an-erased-device-has-nothing", "Erasing removes every item, even in a class that is always open.",
            [], in: .always, .never(.read, against: .newOwner), .holds),
    ]
}
