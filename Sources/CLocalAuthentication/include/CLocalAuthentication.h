#ifndef LATCHKEY_LOCAL_AUTHENTICATION_H
#define LATCHKEY_LOCAL_AUTHENTICATION_H

// The reasons of LAError, by Apple's numbers (docs/apple-semantics.md, 6.2). Apple's enumeration is open: another system
// version may know other numbers. Swift has open enumerations of C only, so that is what this is.
enum __attribute__((enum_extensibility(open))) LAErrorNumber : long {
    /// The user gave no valid credentials.
    LAErrorNumberAuthenticationFailed = -1,
    /// The user canceled.
    LAErrorNumberUserCancel = -2,
    /// The user chose the fallback, and the policy has none.
    LAErrorNumberUserFallback = -3,
    /// The system canceled.
    LAErrorNumberSystemCancel = -4,
    /// No passcode is set.
    LAErrorNumberPasscodeNotSet = -5,
    /// There is no sensor, or the app may not use it.
    LAErrorNumberBiometryNotAvailable = -6,
    /// No finger or face is enrolled.
    LAErrorNumberBiometryNotEnrolled = -7,
    /// Biometry waits for the passcode.
    LAErrorNumberBiometryLockout = -8,
    /// The app canceled.
    LAErrorNumberAppCancel = -9,
    /// The context was invalidated before.
    LAErrorNumberInvalidContext = -10,
    /// There is no companion.
    LAErrorNumberCompanionNotAvailable = -11,
    /// The sensor is not paired with the Mac.
    LAErrorNumberBiometryNotPaired = -12,
    /// The sensor is not connected to the Mac.
    LAErrorNumberBiometryDisconnected = -13,
    /// The prompt has the wrong size.
    LAErrorNumberInvalidDimensions = -14,
    /// A prompt is needed, and none is allowed.
    LAErrorNumberNotInteractive = -1004,
};
typedef enum LAErrorNumber LAErrorNumber;

#endif
