// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
public import CLocalAuthentication
public import Foundation
internal import Latchkey

/// The domain of the errors of this module.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why nobody was authenticated.
public struct LAError: _BridgedStoredNSError {
    /// The error as it crosses interfaces.
    public let _nsError: NSError

    /// The error that came across one, which has to be of this domain. Its number need not have a name.
    public init(_nsError error: NSError) {
        precondition(error.domain == LAErrorDomain, "the error \(error.code) of \(error.domain) is no LAError")
        _nsError = error
    }

    /// Returns true if both have the same code, and say the same beside it.
    public static func == (left: LAError, right: LAError) -> Bool {
        left._nsError === right._nsError
            || left.errorCode == right.errorCode && (left.userInfo as NSDictionary).isEqual(to: right.userInfo)
    }

    /// Hashes the code: Foundation's own way, by the `NSError`, ends the program on Linux.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

    /// The hash of the code.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// The domain.
    public static var errorDomain: String { LAErrorDomain }
    /// The domain.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// The reasons, by Apple's numbers. There may be others: the enumeration is open, as Apple's is.
    public typealias Code = LAErrorNumber
}

extension LAErrorNumber: @retroactive _ErrorCodeProtocol {
    /// The domain of these codes.
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
    /// No valid credentials.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user canceled.
    public static var userCancel: Code { .userCancel }
    /// The user took the fallback where the policy has none.
    public static var userFallback: Code { .userFallback }
    /// The system canceled.
    public static var systemCancel: Code { .systemCancel }
    /// No passcode is set.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no sensor, or it was refused to the app.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No finger or face is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry waits for the passcode.
    public static var biometryLockout: Code { .biometryLockout }
    /// The app canceled.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated before.
    public static var invalidContext: Code { .invalidContext }
    /// There is no companion.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The sensor is not paired with the Mac.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The sensor is not connected to the Mac.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// What is shown has the wrong size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// Somebody would have to be asked, which is not allowed.
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
    /// The error of this number; what is behind it is for whoever debugs.
    init(_ code: Code, because why: String) {
        let text = LAErrorCode(rawValue: code.rawValue)?.text ?? "The authentication failed."
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text, NSDebugDescriptionErrorKey: why])
    }

    /// What the keychain says, in Apple's numbers. What Apple has no number for is a failed authentication.
    init(_ error: KeychainError) {
        var code = Code.authenticationFailed
        if case .denied(let denied) = error, let known = denied.status?.laError {
            code = Code(rawValue: known.rawValue) ?? code
        }
        self.init(code, because: error.description)
    }
}

// So that an error that crossed an interface as `NSError` is an `LAError` again for `as?` and `catch`.
extension LAError: _ObjectiveCBridgeable {
    /// The error as it crosses interfaces.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// The error that came across one.
    public static func _forceBridgeFromObjectiveC(_ error: NSError, result: inout LAError?) {
        _ = _conditionallyBridgeFromObjectiveC(error, result: &result)
    }

    /// The error that came across one, if it is one of these.
    public static func _conditionallyBridgeFromObjectiveC(_ error: NSError, result: inout LAError?) -> Bool {
        result = error.domain == LAErrorDomain ? LAError(_nsError: error) : nil
        return result != nil
    }

    /// The error that came across one, which has to be there and one of these.
    public static func _unconditionallyBridgeFromObjectiveC(_ error: NSError?) -> LAError {
        guard let error else { return LAError(.authenticationFailed) }
        return LAError(_nsError: error)
    }
}
