package import SodiumKit

/// A seed of one-time codes, as an `otpauth://` URI or a bare seed in base32 states it: TOTP of RFC 6238, or HOTP of RFC 4226.
package struct OneTimeSeed: ~Copyable, Sendable {
    /// The source of the number that a code is computed from.
    package enum Kind: Hashable, Sendable {
        /// The clock. A code is valid for this many seconds.
        case time(period: UInt64)
        /// A counter, which has this value for the next code.
        case counter(UInt64)
    }

    /// The hash function of the codes.
    package enum Algorithm: CaseIterable, Hashable, Sendable {
        /// SHA-1, which nearly every service uses.
        case sha1
        case sha256
        case sha512

        /// The name in a URI.
        var name: String {
            switch self {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            case .sha512: "SHA512"
            }
        }
    }

    /// The key of the codes.
    package let key: SecureBytes
    /// The source of the number that a code is computed from.
    package let kind: Kind
    package let algorithm: Algorithm
    /// The number of digits of a code.
    package let digits: Int
    /// The place of the counter in the text that the seed was read from; nil if there is none.
    private let counterPlace: Range<Int>?

    /// Reads the seed in `text`: an `otpauth://` URI on a line of its own, or a bare seed in base32.
    ///
    /// - Throws: `OneTimeCodeError` if there is no seed, or if the URI states something that no code can be computed with.
    package init(_ text: RawSpan) throws(OneTimeCodeError) {
        let uri = try OneTimeURI(text)
        guard let key = try Base32.decoded(text, uri.seed), key.count > 0 else { throw .badSeed }
        self.key = key
        (kind, algorithm, digits, counterPlace) = (uri.kind, uri.algorithm, uri.digits, uri.counterPlace)
    }

    /// Returns the reason why no one-time code can be computed from a seed; nil if one can.
    static func mistake(in text: RawSpan) -> OneTimeCodeError? {
        do throws(OneTimeCodeError) {
            _ = try OneTimeSeed(text)
            return nil
        } catch { return error }
    }

    /// Returns the number for a time in seconds since 1970, and the seconds for which its code stays valid; nil for a seed with a
    /// counter.
    package borrowing func period(at seconds: Int64) -> (number: UInt64, left: UInt64)? {
        guard case .time(let period) = kind else { return nil }
        let seconds = UInt64(max(0, seconds))
        return (seconds / period, period - seconds % period)
    }

    /// Returns `text`, from which the seed was read, with the counter that follows. It is otherwise the same, byte by byte.
    ///
    /// - Throws: `OneTimeCodeError` if the seed has no counter, or its counter is at the end.
    package borrowing func withNextCounter(in text: RawSpan) throws(OneTimeCodeError) -> SecureBytes {
        guard case .counter(let counter) = kind, let place = counterPlace else { throw .noCounter }
        if counter == .max { throw .counterAtEnd }
        do {
            var next = try SecureBuffer(capacity: text.byteCount + 1)
            try next.append(text.extracting(0..<place.lowerBound))
            for digit in "\(counter + 1)".utf8 { try next.append(digit) }
            try next.append(text.extracting(place.upperBound..<text.byteCount))
            return try next.bytes()
        } catch { throw .unavailable }
    }
}
