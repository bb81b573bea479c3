internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// How often somebody is asked.
    static let aboutPrompts: [ShippedClaim] = [
        ShippedClaim(
            "presence-asks-once", "Each read asks for one proof.",
            .userPresence, .atMostPrompts(2, for: [.readData, .readData], by: .owner), .holds),
        ShippedClaim(
            "each-context-asks-anew", "What one request proved is nothing to the next one's context.",
            .userPresence, .atMostPrompts(1, for: [.readData, .readData], by: .owner), .fails, inSteps: 3),
        ShippedClaim(
            "two-factors-ask-twice", "One prompt each.",
            [.biometryAny, .and, .devicePasscode], .atMostPrompts(2, for: [.readData], by: .owner), .holds),
        ShippedClaim(
            "adding-and-deleting-ask-nobody", "Only what brings the secret out asks.",
            .biometryCurrentSet, .atMostPrompts(0, for: [.delete, .add], by: .owner), .holds),
        ShippedClaim(
            "reuse-ends-with-the-set", "An unlock against another set is no proof.",
            .biometryAny, reuse: .minutes(5), .atMostPrompts(0, for: [.readData], by: .fingerUser), .fails, inSteps: 2),
        ShippedClaim(
            "reuse-ends-in-time", "No unlock is reused for longer than the app asks for.",
            .biometryAny, reuse: .minutes(1), .atMostPrompts(0, for: [.readData], by: .waitingUser), .fails, inSteps: 2),
        ShippedClaim(
            "reuse-ends-with-the-lock", "Another unlock, by passcode, is no match.",
            .biometryAny, reuse: .minutes(5), .atMostPrompts(0, for: [.readData], by: .lockingUser), .fails, inSteps: 3),
    ]
}
