internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about an app that keeps an authenticated context.
    static let aboutContexts: [ShippedClaim] = [
        ShippedClaim(
            "a-kept-context-asks-nobody", "What the owner proved there counts for whoever holds the device next.",
            .biometryCurrentSet, assuming: kept, .never(.read, against: .snatcher), .fails, inSteps: 1),
        ShippedClaim(
            "a-kept-context-keeps-every-factor", "Two factors once given are two factors kept.",
            [.biometryAny, .and, .devicePasscode], assuming: kept, .never(.read, against: .borrower), .fails,
            inSteps: 1),
        ShippedClaim(
            "a-kept-context-ends-with-the-lock", "A lock whose grace is over ends what was proved before it.",
            .biometryCurrentSet, assuming: kept, .never(.read, against: .watchThief), .holds),
        ShippedClaim(
            "a-kept-context-outlives-a-lock-in-its-grace", "A context counts for as long as the session lasts.",
            .biometryCurrentSet, assuming: .init(contexts: .kept, held: .justLocked),
            .never(.read, against: .watchThief), .fails, inSteps: 1),
        ShippedClaim(
            "a-kept-context-is-of-one-app", "Another app never has it.",
            .biometryAny, assuming: kept, .never(.read, against: .maliciousApp), .holds),
        ShippedClaim(
            "a-kept-context-of-a-former-set-is-void", "A match against another set proves nothing.",
            .biometryCurrentSet, assuming: kept, .goneAfterEnrollmentChange, .holds),
    ]

    private static let kept = Assumptions.Stated(contexts: .kept)
}
