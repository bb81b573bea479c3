// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import ApplePlatform
public import CLocalAuthentication
public import Foundation
package import Latchkey
internal import Security

/// The domain of the errors of this module.
public let LAErrorDomain = authenticationErrorDomain

/// The reason why authentication failed.
public struct LAError: _BridgedStoredNSError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of this domain. Its code need not have a name.
    public init(_nsError error: NSError) {
        precondition(error.domain == LAErrorDomain, "the error \(error.code) of \(error.domain) is no LAError")
        _nsError = error
    }

    /// Returns true if both have the same code and equal user info.
    public static func == (left: LAError, right: LAError) -> Bool {
        left._nsError === right._nsError
            || left.errorCode == right.errorCode && (left.userInfo as NSDictionary).isEqual(to: right.userInfo)
    }

    /// Hashes the code. Foundation's own hash, by the `NSError`, ends the program on Linux.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

    /// The hash of the code.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// The domain of these errors.
    public static var errorDomain: String { LAErrorDomain }
    /// The domain of these errors.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// The codes, with Apple's numbers. The enumeration is open, as Apple's is: there may be others.
    public typealias Code = LAErrorNumber
}

extension LAErrorNumber: @retroactive _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = LAError

    /// The former name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: LAError.Code { .biometryNotAvailable }
    /// The former name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: LAError.Code { .biometryNotEnrolled }
    /// The former name of ``biometryLockout``.
    public static var touchIDLockout: LAError.Code { .biometryLockout }
    /// The former name of ``companionNotAvailable``.
    public static var watchNotAvailable: LAError.Code { .companionNotAvailable }
}

extension LAError {
    /// The user gave no valid credentials.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user canceled.
    public static var userCancel: Code { .userCancel }
    /// The user took the fallback, and the policy has none.
    public static var userFallback: Code { .userFallback }
    /// The system canceled.
    public static var systemCancel: Code { .systemCancel }
    /// No passcode is set.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no sensor, or the app may not use it.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No finger or face is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry is locked out until the passcode is entered.
    public static var biometryLockout: Code { .biometryLockout }
    /// The app canceled.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated before the call.
    public static var invalidContext: Code { .invalidContext }
    /// There is no companion.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The sensor is not paired with the Mac.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The sensor is not connected to the Mac.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The prompt has the wrong size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// The call needs a prompt, and prompts are not allowed.
    public static var notInteractive: Code { .notInteractive }
    /// The former name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The former name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The former name of ``biometryLockout``.
    public static var touchIDLockout: Code { .biometryLockout }
    /// The former name of ``companionNotAvailable``.
    public static var watchNotAvailable: Code { .companionNotAvailable }
}

extension LAError {
    /// Creates the error with this code. `why` is meant for debugging.
    init(_ code: Code, because why: String) {
        let text = LAErrorCode(rawValue: code.rawValue)?.text ?? "The authentication failed."
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text, NSDebugDescriptionErrorKey: why])
    }

    /// Creates the error for an error of the keychain. If Apple has no code for it, authentication failed.
    package init(_ error: KeychainError) {
        var code = Code.authenticationFailed
        if case .denied(let denied) = error, let known = denied.status?.laError {
            code = Code(rawValue: known.rawValue) ?? code
        }
        self.init(code, because: error.description)
    }
}

// With this bridge, an `LAError` that was passed on as `NSError` matches `as? LAError` and `catch` again.
extension LAError: _ObjectiveCBridgeable {
    /// Returns the error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Converts an `NSError` of this domain.
    public static func _forceBridgeFromObjectiveC(_ error: NSError, result: inout LAError?) {
        _ = _conditionallyBridgeFromObjectiveC(error, result: &result)
    }

    /// Converts an `NSError` and returns true, if it is of this domain.
    public static func _conditionallyBridgeFromObjectiveC(_ error: NSError, result: inout LAError?) -> Bool {
        result = error.domain == LAErrorDomain ? LAError(_nsError: error) : nil
        return result != nil
    }

    /// Converts an `NSError`, which has to be of this domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ error: NSError?) -> LAError {
        guard let error else { return LAError(.authenticationFailed) }
        return LAError(_nsError: error)
    }
}
