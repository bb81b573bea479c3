internal import AccessPolicy

/// The tests of local authentication in OWASP's Mobile Application Security Testing Guide, as claims.
///
/// The guide greps for calls and flags, or hooks them. A claim asks what the flags are there for: whether anybody gets the secret
/// who should not.
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

    /// Its number in the guide.
    public var identifier: String { "MASTG-TEST-0\(rawValue)" }

    /// What it looks for.
    public var about: String {
        switch self {
        case .eventBound:
            "its policy puts the secret behind authentication, where a forged answer of LAContext is no help"
        case .eventBoundAtRuntime: "no step gets the secret without authentication"
        case .fallback: "its policy takes nothing but biometry: no passcode, no companion"
        case .fallbackAtRuntime: "no step gets the secret with anything but biometry"
        case .enrollmentChange: "its policy loses it once a finger or a face is enrolled or removed"
        case .enrollmentChangeAtRuntime: "no step gets the secret after an enrollment change"
        }
    }

    /// True if it looks at what an app does, and not at what its items demand.
    public var isAtRuntime: Bool { rawValue % 2 == 1 }

    /// What it comes to, about an item that is used for `aim`.
    public func statement(of aim: Aim) -> Claim.Statement {
        switch self {
        case .eventBound, .eventBoundAtRuntime: .never(aim, against: .forger)
        case .fallback, .fallbackAtRuntime: .never(aim, against: .withoutFinger)
        case .enrollmentChange, .enrollmentChangeAtRuntime: .goneAfterEnrollmentChange
        }
    }
}

extension Profile {
    /// Whoever makes an app go on as if they had proved who they are.
    static let forger = Profile(
        name: "forger",
        summary: "somebody who has the unlocked device and an app that believes LAContext to have said yes",
        holds: .unlocked)

    /// Whoever can prove all but biometry.
    static let withoutFinger = Profile(
        name: "without-finger",
        summary: "somebody who knows the passcode and wears the watch, and leaves the settings alone",
        knows: [.passcode, .applicationPassword], carries: [.ownersCompanion], holds: .unlocked)
}
