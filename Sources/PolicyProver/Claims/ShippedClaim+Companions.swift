internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about what a watch authenticates.
    static let aboutCompanions: [ShippedClaim] = [
        ShippedClaim(
            "a-paired-watch-is-as-good-as-any",
            "With the passcode and the Apple Account, a thief forgets the owner's watch and pairs another.",
            .companion, .never(.read, against: .accountThief), .fails, inSteps: 6),
        ShippedClaim(
            "a-watch-takes-the-apple-account",
            "Pairing a watch takes the Apple Account's password as well as the passcode.",
            .companion, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "a-watch-does-not-unlock", "A watch authenticates only on an unlocked device.",
            [.companion], in: .afterFirstUnlock, .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "a-watch-and-an-unlocked-device", "The watch and the unlocked device are all that the policy asks for.",
            .companion, .never(.read, against: .watchSnatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-watch-that-is-away-proves-nothing", "A watch that is out of range authenticates nothing.",
            .companion, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "an-owner-pairs-the-watch-again", "The owner pairs the watch again after an attacker unpaired it.",
            .companion, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .watchPairer), .holds),
    ]
}
