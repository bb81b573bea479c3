// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's names of the numbers, from before Swift had enumerations of them.

/// `LAError.authenticationFailed`.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// `LAError.userCancel`.
public let kLAErrorUserCancel: Int32 = -2
/// `LAError.userFallback`.
public let kLAErrorUserFallback: Int32 = -3
/// `LAError.systemCancel`.
public let kLAErrorSystemCancel: Int32 = -4
/// `LAError.passcodeNotSet`.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// `LAError.biometryNotAvailable`.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// `LAError.biometryNotAvailable`.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// `LAError.biometryNotEnrolled`.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// `LAError.biometryNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// `LAError.biometryLockout`.
public let kLAErrorBiometryLockout: Int32 = -8
/// `LAError.biometryLockout`.
public let kLAErrorTouchIDLockout: Int32 = -8
/// `LAError.appCancel`.
public let kLAErrorAppCancel: Int32 = -9
/// `LAError.invalidContext`.
public let kLAErrorInvalidContext: Int32 = -10
/// `LAError.companionNotAvailable`.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// `LAError.biometryNotPaired`.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// `LAError.biometryDisconnected`.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// `LAError.invalidDimensions`.
public let kLAErrorInvalidDimensions: Int32 = -14
/// `LAError.notInteractive`.
public let kLAErrorNotInteractive: Int32 = -1004

/// `LAPolicy.deviceOwnerAuthenticationWithBiometrics`.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// `LAPolicy.deviceOwnerAuthentication`.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
