internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about private keys, access groups, and calls that ask for no authentication.
    static let aboutKeysAndGroups: [ShippedClaim] = [
        ShippedClaim(
            "another-group-reads-nothing",
            "An app of another access group reads nothing, even if the owner answers every prompt.",
            [], in: .always, .never(.read, against: .maliciousApp), .holds),
        ShippedClaim(
            "another-group-lists-nothing", "An app of another access group does not learn that the item exists.",
            [], in: .always, .never(.list, against: .maliciousApp), .holds),
        ShippedClaim(
            "another-group-deletes-nothing", "Deleting asks for no authentication, but it takes the access group.",
            [], .never(.destroy, against: .maliciousApp), .holds),
        ShippedClaim(
            "deleting-asks-nobody", "A borrower of the device can delete the item without authentication.",
            .biometryCurrentSet, .never(.destroy, against: .borrower), .fails, inSteps: 1),
        ShippedClaim(
            "overwriting-asks-nobody", "Deleting an item and storing another asks for no authentication.",
            .devicePasscode, .never(.overwrite, against: .borrower), .fails, inSteps: 2),
        ShippedClaim(
            "attributes-are-guarded-like-data", "If an attacker cannot read an item, they cannot see its attributes.",
            .biometryCurrentSet, .never(.list, against: .passcodeThief), .holds),
        ShippedClaim(
            "attributes-of-a-key-are-not", "The policy of a key guards its use, not its attributes.",
            [.biometryCurrentSet, .privateKeyUsage], .never(.list, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "a-key-is-used", "A thief who satisfies the policy signs with the key.",
            [.userPresence, .privateKeyUsage], .never(.use, against: .passcodeThief), .fails, inSteps: 2),
        ShippedClaim(
            "a-key-is-never-read", "Even the owner never reads a private key.",
            [.privateKeyUsage], .never(.read, against: .owner), .holds),
        ShippedClaim(
            "a-key-under-a-set-is-not-used", "The enrolled set guards signing just as it guards reading.",
            [.biometryCurrentSet, .privateKeyUsage], .never(.use, against: .passcodeThief), .holds),
    ]
}
