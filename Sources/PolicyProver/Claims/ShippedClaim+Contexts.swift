internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about an app that keeps an authenticated context.
    static let aboutContexts: [ShippedClaim] = [
        ShippedClaim(
            "a-kept-context-asks-nobody", "The owner's authentication counts for the thief who holds the device next.",
            .biometryCurrentSet, assuming: kept, .never(.read, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-kept-context-keeps-every-factor", "A kept context keeps both factors that the owner gave.",
            [.biometryAny, .and, .devicePasscode], assuming: kept, .never(.read, against: .borrower), .fails,
            inSteps: 1),
        ShippedClaim(
            "a-kept-context-ends-with-the-lock",
            "Once the lock grace is over, a lock ends every earlier authentication.",
            .biometryCurrentSet, assuming: kept, .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "a-kept-context-outlives-a-lock-in-its-grace",
            "The context counts until the session ends, and the session lasts through the lock grace.",
            .biometryCurrentSet, assuming: .init(contexts: .kept, held: .justLocked),
            .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "a-kept-context-is-of-one-app", "Another app never has the context.",
            .biometryAny, assuming: kept, .never(.read, against: .maliciousApp), .holds),
        ShippedClaim(
            "a-kept-context-of-a-former-set-is-void", "A match against another enrolled set does not count.",
            .biometryCurrentSet, assuming: kept, .goneAfterEnrollmentChange, .holds),
    ]

    private static let kept = Assumptions.Stated(contexts: .kept)
}
