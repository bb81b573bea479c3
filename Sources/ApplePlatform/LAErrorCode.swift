/// An error code of LocalAuthentication, with Apple's number (semantics 6.2).
public enum LAErrorCode: Int, CaseIterable, Sendable {
    /// The user failed to authenticate, and the prompt ended.
    case authenticationFailed = -1
    /// The user canceled the prompt.
    case userCancel = -2
    /// The user chose the fallback, and the policy accepts none.
    case userFallback = -3
    /// The system canceled the prompt.
    case systemCancel = -4
    /// No device passcode is set.
    case passcodeNotSet = -5
    /// The device has no sensor, or the app may not use it.
    case biometryNotAvailable = -6
    /// No finger or face is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry is locked out until the passcode is entered.
    case biometryLockout = -8
    /// The app invalidated the context during the prompt.
    case appCancel = -9
    /// The context was invalidated before the call.
    case invalidContext = -10
    /// No companion is paired, nearby and unlocked.
    case companionNotAvailable = -11
    /// Authentication is needed, and no prompt is allowed or possible.
    case notInteractive = -1004

    /// Apple's name for the error.
    public var name: String {
        switch self {
        case .authenticationFailed: "authenticationFailed"
        case .userCancel: "userCancel"
        case .userFallback: "userFallback"
        case .systemCancel: "systemCancel"
        case .passcodeNotSet: "passcodeNotSet"
        case .biometryNotAvailable: "biometryNotAvailable"
        case .biometryNotEnrolled: "biometryNotEnrolled"
        case .biometryLockout: "biometryLockout"
        case .appCancel: "appCancel"
        case .invalidContext: "invalidContext"
        case .companionNotAvailable: "companionNotAvailable"
        case .notInteractive: "notInteractive"
        }
    }

    /// One sentence that describes the error. The words are this project's: Apple publishes no table of its texts.
    public var text: String {
        switch self {
        case .authenticationFailed: "The user failed to authenticate."
        case .userCancel: "The user canceled the prompt."
        case .userFallback: "The user chose the fallback."
        case .systemCancel: "The system canceled the prompt."
        case .passcodeNotSet: "No device passcode is set."
        case .biometryNotAvailable: "Biometry is not available."
        case .biometryNotEnrolled: "No finger or face is enrolled."
        case .biometryLockout: "Biometry is locked out until the passcode is entered."
        case .appCancel: "The app canceled the prompt."
        case .invalidContext: "The context has been invalidated."
        case .companionNotAvailable: "No companion is paired, nearby and unlocked."
        case .notInteractive: "Authentication is needed, and no prompt is allowed."
        }
    }

    /// The status that a keychain call returns for the error (semantics 1.6). All but two become `errSecAuthFailed`.
    public var status: OSStatusCode {
        switch self {
        case .userCancel: .userCanceled
        case .notInteractive: .interactionNotAllowed
        case .authenticationFailed, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotAvailable,
            .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext, .companionNotAvailable:
            .authFailed
        }
    }
}
