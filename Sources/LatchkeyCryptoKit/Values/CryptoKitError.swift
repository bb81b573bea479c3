internal import KeyKit
internal import SodiumKit

/// An error of a cryptographic operation.
public enum CryptoKitError: Error, Hashable, Sendable {
    /// The key has a size that the operation does not take.
    case incorrectKeySize
    /// A parameter other than the key has a size that the operation does not take.
    case incorrectParameterSize
    /// The tag is wrong: the box was changed, or sealed with another key, nonce or additional data.
    case authenticationFailure
    /// The library below refused the operation. The number is -7 if it refused a parameter, or else the status of a
    /// keychain call.
    case underlyingCoreCryptoError(error: Int32)
    /// A key could not be wrapped.
    case wrapFailure
    /// A key could not be unwrapped.
    case unwrapFailure
    /// A parameter has a value that the operation does not take.
    case invalidParameter
}

/// An error of a key or signature in DER or PEM.
public enum CryptoKitASN1Error: Error, Hashable, Sendable {
    /// A field has an identifier that is not valid.
    case invalidFieldIdentifier
    /// A field has another type than expected.
    case unexpectedFieldType
    /// An object identifier is not valid.
    case invalidObjectIdentifier
    /// The bytes are not the expected object, or belong to a key of another type.
    case invalidASN1Object
    /// An integer is not encoded as DER demands.
    case invalidASN1IntegerEncoding
    /// A field ends before its length says.
    case truncatedASN1Field
    /// A length is encoded in a way that DER does not allow.
    case unsupportedFieldLength
    /// The text has no PEM block of the expected kind.
    case invalidPEMDocument
}

/// Runs an operation on keys, and throws its error as apps know it.
func onKeys<Result: ~Copyable>(_ body: @autoclosure () throws(KeyError) -> Result) throws -> Result {
    do { return try body() } catch { throw error.forApps }
}

/// Runs an operation that fails only if the process has no memory left. Apple's interface has no error for that.
func withoutFail<Result: ~Copyable>(_ body: () throws(KeyError) -> Result) -> Result {
    do { return try body() } catch { fatalError(error.description) }
}

/// Makes guarded memory. If the process has none left, it ends the program, because Apple's interface has no error for
/// that.
func guarding<Result: ~Copyable>(_ body: () throws(SodiumError) -> Result) -> Result {
    do { return try body() } catch { fatalError(error.description) }
}

extension KeyError {
    /// The error that Apple's interface throws.
    var forApps: any Error {
        switch self {
        case .malformed(.point), .wrongDigestLength, .inputTooLong, .inputOutOfRange, .invalidSize:
            CryptoKitError.incorrectParameterSize
        case .malformed(.pem): CryptoKitASN1Error.invalidPEMDocument
        case .malformed, .unsupportedType, .encryptedKey, .tooManyIterations, .wrongPassphrase:
            CryptoKitASN1Error.invalidASN1Object
        case .invalidPoint, .invalidKey, .unsupportedScheme, .differentCurves:
            CryptoKitError.underlyingCoreCryptoError(error: refusedParameter)
        case .cannotDecrypt: CryptoKitError.authenticationFailure
        case .memory, .unavailable: CryptoKitError.underlyingCoreCryptoError(error: outOfMemory)
        }
    }
}

/// The number for a refused parameter.
private let refusedParameter: Int32 = -7
/// The status `errSecAllocate`.
private let outOfMemory: Int32 = -108
