/// An error in a seed of one-time codes. It holds nothing of the seed.
package enum OneTimeCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSeed
    /// The URI is of another type than totp and hotp.
    case unknownType
    /// The URI states a parameter twice.
    case twice(String)
    /// The URI has no seed.
    case seedMissing
    /// The seed is not valid base32.
    case badSeed
    /// The URI states another value for a parameter than this one can have.
    case badValue(String, allowed: String)
    /// The URI of type hotp states no counter, or the counter is asked of another type.
    case noCounter
    /// The counter has its largest value.
    case counterAtEnd
    /// OpenSSL or guarded memory is not available.
    case unavailable

    /// The mistake, and how to correct it.
    package var description: String {
        switch self {
        case .noSeed:
            "no seed of one-time codes: save the otpauth:// URI that the service shows, or the seed in base32"
        case .unknownType:
            "the otpauth:// URI is of a type that is not known: save one that begins with "
                + "otpauth://totp/ or otpauth://hotp/"
        case .twice(let name): "the otpauth:// URI states \(name) twice: save it with one of them"
        case .seedMissing: "the otpauth:// URI has no seed: save one with secret=, as the service shows it"
        case .badSeed: "the seed is not valid base32, and may be incomplete: save it again as the service shows it"
        case .badValue(let name, let allowed):
            "the otpauth:// URI states a value of \(name) that is not known: save it with \(allowed)"
        case .noCounter: "the otpauth:// URI of type hotp has no counter: add &counter=0, or the count so far"
        case .counterAtEnd:
            "the counter has its largest value, so there is no further code: ask the service for a new seed"
        case .unavailable: "OpenSSL or locked memory is not available: run `latchkey doctor` to see why"
        }
    }
}
