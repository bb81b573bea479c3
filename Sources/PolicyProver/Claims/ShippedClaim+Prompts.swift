internal import AccessPolicy
internal import DeviceModel

extension ShippedClaim {
    /// Claims about the number of prompts.
    static let aboutPrompts: [ShippedClaim] = [
        ShippedClaim(
            "presence-asks-once", "Each read shows one prompt.",
            .userPresence, .atMostPrompts(2, for: [.readData, .readData], by: .owner), .holds),
        ShippedClaim(
            "each-context-asks-anew", "The authentication of one request does not count in the next request's context.",
            .userPresence, .atMostPrompts(1, for: [.readData, .readData], by: .owner), .fails, inSteps: 3),
        ShippedClaim(
            "two-factors-ask-twice", "A policy with two factors shows one prompt for each.",
            [.biometryAny, .and, .devicePasscode], .atMostPrompts(2, for: [.readData], by: .owner), .holds),
        ShippedClaim(
            "adding-and-deleting-ask-nobody", "Adding and deleting show no prompt.",
            .biometryCurrentSet, .atMostPrompts(0, for: [.delete, .add], by: .owner), .holds),
        ShippedClaim(
            "reuse-ends-with-the-set", "An unlock against another enrolled set is not reused.",
            .biometryAny, reuse: .minutes(5), .atMostPrompts(0, for: [.readData], by: .fingerUser), .fails, inSteps: 2),
        ShippedClaim(
            "reuse-ends-in-time", "An app reuses an unlock no longer than it asks to.",
            .biometryAny, reuse: .minutes(1), .atMostPrompts(0, for: [.readData], by: .waitingUser), .fails, inSteps: 2),
        ShippedClaim(
            "reuse-ends-with-the-lock", "An unlock by passcode does not count as biometry.",
            .biometryAny, reuse: .minutes(5), .atMostPrompts(0, for: [.readData], by: .lockingUser), .fails, inSteps: 3),
    ]
}
