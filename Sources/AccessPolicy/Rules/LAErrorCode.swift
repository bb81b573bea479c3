/// The error codes of LocalAuthentication, by Apple's numbers (semantics 6.2).
public enum LAErrorCode: Int, CaseIterable, Sendable {
    /// Wrong answers until the prompt gave up.
    case authenticationFailed = -1
    /// The user dismissed the prompt.
    case userCancel = -2
    /// The user chose the fallback where the policy accepts none.
    case userFallback = -3
    /// The system ended the prompt.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// No sensor, or it was refused to the app.
    case biometryNotAvailable = -6
    /// No finger or face is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry waits for the passcode.
    case biometryLockout = -8
    /// The app ended the prompt.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// No companion.
    case companionNotAvailable = -11
    /// Somebody would have to be asked, and the caller allows no asking.
    case notInteractive = -1004

    /// Apple's name for it.
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

    /// What it means, in our words: Apple publishes no table of its texts.
    public var text: String {
        switch self {
        case .authenticationFailed: "The holder gave no valid credentials."
        case .userCancel: "The holder canceled."
        case .userFallback: "The holder chose the fallback."
        case .systemCancel: "The system canceled."
        case .passcodeNotSet: "No device passcode is set."
        case .biometryNotAvailable: "Biometry is not available."
        case .biometryNotEnrolled: "Nobody is enrolled for biometry."
        case .biometryLockout: "Biometry is locked out until the passcode is entered."
        case .appCancel: "The app canceled."
        case .invalidContext: "The context has been invalidated."
        case .companionNotAvailable: "No companion is available."
        case .notInteractive: "The holder would have to be asked, which is not allowed."
        }
    }

    /// What a keychain call answers for it (semantics 1.6): all but two become a failed authentication.
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
