internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Who asks, and for what.
    static let aboutKeysAndGroups: [ShippedClaim] = [
        ShippedClaim(
            "another-group-reads-nothing", "Whoever answers its prompts.",
            [], in: .always, .never(.read, against: .maliciousApp), .holds),
        ShippedClaim(
            "another-group-lists-nothing", "It does not even learn that the item is there.",
            [], in: .always, .never(.list, against: .maliciousApp), .holds),
        ShippedClaim(
            "another-group-deletes-nothing", "Deleting asks nobody, but it asks for the group.",
            [], .never(.destroy, against: .maliciousApp), .holds),
        ShippedClaim(
            "deleting-asks-nobody", "Whoever holds the device can take the item away.",
            .biometryCurrentSet, .never(.destroy, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "overwriting-asks-nobody", "To delete an item and to store another needs no proof.",
            .devicePasscode, .never(.overwrite, against: .borrower), .fails, inSteps: 2),
        ShippedClaim(
            "attributes-are-guarded-like-data", "Of an item nobody may read, nobody sees the attributes.",
            .biometryCurrentSet, .never(.list, against: .passcodeThief), .holds),
        ShippedClaim(
            "attributes-of-a-key-are-not", "Its constraint guards its use.",
            [.biometryCurrentSet, .privateKeyUsage], .never(.list, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "a-key-is-used", "Whoever proves what it asks for signs with it.",
            [.userPresence, .privateKeyUsage], .never(.use, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "a-key-is-never-read", "Not by the owner either.",
            [.privateKeyUsage], .never(.read, against: .owner), .holds),
        ShippedClaim(
            "a-key-under-a-set-is-not-used", "The set guards signing as it guards reading.",
            [.biometryCurrentSet, .privateKeyUsage], .never(.use, against: .passcodeThief), .holds),
    ]
}
