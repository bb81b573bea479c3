internal import AccessPolicy

/// A test of local authentication in OWASP's Mobile Application Security Testing Guide, as a claim.
///
/// The guide searches the code for calls and flags, or hooks them at runtime. A claim is about the effect of the
/// flags: an attacker never gets a secret that they should not get.
public enum MASTGTest: Int, CaseIterable, Sendable {
    /// References to APIs for event-bound biometric authentication.
    case eventBound = 266
    /// Runtime use of event-bound biometric authentication.
    case eventBoundAtRuntime = 267
    /// References to APIs allowing fallback to non-biometric authentication.
    case fallback = 268
    /// Runtime use of APIs allowing fallback to non-biometric authentication.
    case fallbackAtRuntime = 269
    /// References to APIs detecting biometric enrollment changes.
    case enrollmentChange = 270
    /// Runtime use of APIs detecting biometric enrollment changes.
    case enrollmentChangeAtRuntime = 271

    /// The identifier in the guide, such as "MASTG-TEST-0266".
    public var identifier: String { "MASTG-TEST-0\(rawValue)" }

    /// The requirement of the test in a few words.
    public var about: String {
        switch self {
        case .eventBound:
            "its policy releases the secret only after authentication, so a forged answer of LAContext is no help"
        case .eventBoundAtRuntime: "no step reads the secret without authentication"
        case .fallback: "its policy accepts only biometry: no passcode, no companion"
        case .fallbackAtRuntime: "no step reads the secret with anything but biometry"
        case .enrollmentChange: "its policy invalidates the item once a finger or a face is enrolled or removed"
        case .enrollmentChangeAtRuntime: "no step reads the secret after an enrollment change"
        }
    }

    /// True if the test looks at the steps of an app instead of the access policies of its items.
    public var isAtRuntime: Bool { rawValue % 2 == 1 }

    /// Returns the result of the test in a sentence, from the answer to its claim.
    public func sentence(_ answer: Verdict.Answer) -> String {
        switch answer {
        case .holds: "\(identifier) passes: \(about)."
        case .fails: "\(identifier) fails. It passes if \(about)."
        case .undecided: "\(identifier) is undecided: the search met its limit."
        }
    }

    /// Returns the claim of the test, for an item that is used for `aim`.
    public func statement(of aim: Aim) -> Claim.Statement {
        switch self {
        case .eventBound, .eventBoundAtRuntime: .never(aim, against: .forger)
        case .fallback, .fallbackAtRuntime: .never(aim, against: .withoutFinger)
        case .enrollmentChange, .enrollmentChangeAtRuntime: .goneAfterEnrollmentChange
        }
    }
}

extension Profile {
    /// An attacker who makes an app continue as if they had authenticated.
    static let forger = Profile(
        name: "forger",
        summary: "an attacker with the unlocked device, and an app that believes a forged success of LAContext",
        holds: .unlocked)

    /// An attacker who can give every factor except biometry.
    static let withoutFinger = Profile(
        name: "without-finger",
        summary: "an attacker who knows the passcode, wears the watch, and changes no settings",
        knows: [.passcode, .applicationPassword], carries: [.ownersCompanion], holds: .unlocked)
}
