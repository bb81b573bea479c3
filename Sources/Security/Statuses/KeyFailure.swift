internal import ApplePlatform
internal import Foundation
internal import KeyKit
internal import Latchkey

/// The error of a call on a key. Apple's calls report a status, or an error of LocalAuthentication if the user was to
/// authenticate for the use of a private key.
struct KeyFailure: Error {
    let domain: String
    let code: Int
    /// The description of the error, as Apple's system words it.
    let text: String
    /// The reason, for debugging. It never contains a byte of a key.
    let why: String

    private init(domain: String, code: Int, text: String, why: String) {
        self.domain = domain
        self.code = code
        self.text = text
        self.why = why
    }

    init(_ error: StatusError) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(error.status),
            text: statusTexts[error.status] ?? "OSStatus \(error.status)", why: error.why)
    }

    init(_ status: OSStatus, _ why: String) { self.init(StatusError(status, why)) }

    init(_ error: KeyError) { self.init(StatusError(error)) }

    init(usingKey error: KeychainError) {
        guard case .denied(let denied) = error, let code = denied.status?.laError else {
            self.init(StatusError(error))
            return
        }
        self.init(
            domain: authenticationErrorDomain, code: code.rawValue, text: code.text, why: error.description)
    }

    var forApps: NSError {
        NSError(
            domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text, NSDebugDescriptionErrorKey: why])
    }
}

package let authenticationErrorDomain = "com.apple.LocalAuthentication"

extension StatusError {
    init(_ error: KeyError) { self.init(Self.status(of: error), error.description) }

    private static func status(of error: KeyError) -> OSStatus {
        switch error {
        case .malformed, .invalidPoint, .invalidKey, .encryptedKey, .unsupportedScheme, .wrongDigestLength,
            .inputTooLong, .inputOutOfRange, .invalidSize, .differentCurves, .cannotDecrypt, .wrongPassphrase,
            .tooManyIterations:
            errSecParam
        // Apple's system has more types of keys.
        case .unsupportedType: errSecUnimplemented
        case .memory: errSecAllocate
        case .unavailable: errSecInternalComponent
        }
    }
}
