public import AccessPolicy

/// A status that a decision can end in, with Apple's number (semantics 1.2).
public enum OSStatusCode: Int32, CaseIterable, Sendable {
    /// `errSecSuccess`.
    case success = 0
    /// `errSecParam`.
    case param = -50
    /// `errSecUserCanceled`.
    case userCanceled = -128
    /// `errSecNotAvailable`.
    case notAvailable = -25291
    /// `errSecAuthFailed`.
    case authFailed = -25293
    /// `errSecDuplicateItem`.
    case duplicateItem = -25299
    /// `errSecItemNotFound`.
    case itemNotFound = -25300
    /// `errSecInteractionNotAllowed`.
    case interactionNotAllowed = -25308
    /// `errSecDecode`.
    case decode = -26275
    /// `errSecMissingEntitlement`.
    case missingEntitlement = -34018

    /// Apple's name for the status, such as `errSecAuthFailed`.
    public var name: String {
        switch self {
        case .success: "errSecSuccess"
        case .param: "errSecParam"
        case .userCanceled: "errSecUserCanceled"
        case .notAvailable: "errSecNotAvailable"
        case .authFailed: "errSecAuthFailed"
        case .duplicateItem: "errSecDuplicateItem"
        case .itemNotFound: "errSecItemNotFound"
        case .interactionNotAllowed: "errSecInteractionNotAllowed"
        case .decode: "errSecDecode"
        case .missingEntitlement: "errSecMissingEntitlement"
        }
    }

    /// Returns Apple's English text for the status.
    public func text(_ fidelity: Fidelity = Fidelity()) -> String {
        switch self {
        case .success: fidelity.successText == .noError ? "No error." : "OSStatus 0"
        case .param: "One or more parameters passed to a function were not valid."
        case .userCanceled: "User canceled the operation."
        case .notAvailable: "No keychain is available. You may need to restart your computer."
        case .authFailed: "The user name or passphrase you entered is not correct."
        case .duplicateItem: "The specified item already exists in the keychain."
        case .itemNotFound: "The specified item could not be found in the keychain."
        case .interactionNotAllowed: "User interaction is not allowed."
        case .decode: "Unable to decode the provided data."
        case .missingEntitlement: "A required entitlement isn't present."
        }
    }
}
