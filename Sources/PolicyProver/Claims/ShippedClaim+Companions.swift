internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// What a watch is good for.
    static let aboutCompanions: [ShippedClaim] = [
        ShippedClaim(
            "a-paired-watch-is-as-good-as-any",
            "With the passcode and the Apple Account, a thief forgets the owner's watch and pairs another.",
            .companion, .never(.read, against: .accountThief), .fails, inSteps: 6),
        ShippedClaim(
            "a-watch-takes-the-apple-account", "The passcode alone pairs no watch.",
            .companion, .never(.read, against: .passcodeThief), .holds),
        ShippedClaim(
            "a-watch-does-not-unlock", "A watch proves something to an unlocked device only.",
            [.companion], in: .afterFirstUnlock, .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "a-watch-and-an-unlocked-device", "Both together are all that is asked for.",
            .companion, .never(.read, against: .watchSnatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-watch-that-is-away-proves-nothing", "The owner went away, and the watch with them.",
            .companion, .never(.read, against: .snatcher), .holds),
        ShippedClaim(
            "an-owner-pairs-the-watch-again", "What somebody forgot the owner pairs again.",
            .companion, assuming: keepsItem, .alwaysCan(.read, by: .owner, against: .watchPairer), .holds),
    ]
}
