// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CLocalAuthentication

// Apple's constants for these codes, which predate the Swift enumerations.

/// `LAError.authenticationFailed`.
public let kLAErrorAuthenticationFailed = Int32(LAError.Code.authenticationFailed.rawValue)
/// `LAError.userCancel`.
public let kLAErrorUserCancel = Int32(LAError.Code.userCancel.rawValue)
/// `LAError.userFallback`.
public let kLAErrorUserFallback = Int32(LAError.Code.userFallback.rawValue)
/// `LAError.systemCancel`.
public let kLAErrorSystemCancel = Int32(LAError.Code.systemCancel.rawValue)
/// `LAError.passcodeNotSet`.
public let kLAErrorPasscodeNotSet = Int32(LAError.Code.passcodeNotSet.rawValue)
/// `LAError.biometryNotAvailable`.
public let kLAErrorBiometryNotAvailable = Int32(LAError.Code.biometryNotAvailable.rawValue)
/// `LAError.biometryNotAvailable`.
public let kLAErrorTouchIDNotAvailable = Int32(LAError.Code.biometryNotAvailable.rawValue)
/// `LAError.biometryNotEnrolled`.
public let kLAErrorBiometryNotEnrolled = Int32(LAError.Code.biometryNotEnrolled.rawValue)
/// `LAError.biometryNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled = Int32(LAError.Code.biometryNotEnrolled.rawValue)
/// `LAError.biometryLockout`.
public let kLAErrorBiometryLockout = Int32(LAError.Code.biometryLockout.rawValue)
/// `LAError.biometryLockout`.
public let kLAErrorTouchIDLockout = Int32(LAError.Code.biometryLockout.rawValue)
/// `LAError.appCancel`.
public let kLAErrorAppCancel = Int32(LAError.Code.appCancel.rawValue)
/// `LAError.invalidContext`.
public let kLAErrorInvalidContext = Int32(LAError.Code.invalidContext.rawValue)
/// `LAError.companionNotAvailable`.
public let kLAErrorWatchNotAvailable = Int32(LAError.Code.companionNotAvailable.rawValue)
/// `LAError.biometryNotPaired`.
public let kLAErrorBiometryNotPaired = Int32(LAError.Code.biometryNotPaired.rawValue)
/// `LAError.biometryDisconnected`.
public let kLAErrorBiometryDisconnected = Int32(LAError.Code.biometryDisconnected.rawValue)
/// `LAError.invalidDimensions`.
public let kLAErrorInvalidDimensions = Int32(LAError.Code.invalidDimensions.rawValue)
/// `LAError.notInteractive`.
public let kLAErrorNotInteractive = Int32(LAError.Code.notInteractive.rawValue)

/// `LAPolicy.deviceOwnerAuthenticationWithBiometrics`.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics = Int32(
    LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue)
/// `LAPolicy.deviceOwnerAuthentication`.
public let kLAPolicyDeviceOwnerAuthentication = Int32(LAPolicy.deviceOwnerAuthentication.rawValue)
