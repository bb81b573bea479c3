internal import COpenSSL
public import SodiumKit

/// The key derivation of RFC 5869.
public enum HKDFFunction: Sendable {
    /// The steps of the derivation.
    public enum Step: CaseIterable, Hashable, Sendable {
        /// The first step, which makes a pseudorandom key as long as a digest out of any secret and a salt.
        case extract
        /// The second step, which makes keys out of a pseudorandom key and their purpose.
        case expand
        /// Both steps.
        case both

        fileprivate var name: StaticString {
            switch self {
            case .extract: "EXTRACT_ONLY"
            case .expand: "EXPAND_ONLY"
            case .both: "EXTRACT_AND_EXPAND"
            }
        }
    }

    /// Returns the number of bytes in the longest key that can be derived.
    public static func longest(_ algorithm: DigestAlgorithm) -> Int { 255 * algorithm.digestCount }

    /// The number of bytes in the longest `info`, which is OpenSSL's limit.
    public static let longestInfo = 32 << 10

    /// Returns `count` bytes that are derived from `secret`. Only extracting uses `salt`, and only expanding `info`.
    ///
    /// - Throws: ``KeyError/invalidSize(_:)`` for the count, ``KeyError/inputTooLong(limit:)`` for `info`, or
    ///   ``KeyError/memory(_:)``.
    public static func derive(
        _ step: Step, _ count: Int, from secret: RawSpan, salt: RawSpan = RawSpan(), info: RawSpan = RawSpan(),
        _ algorithm: DigestAlgorithm
    ) throws(KeyError) -> SecureBytes {
        guard step == .extract ? count == algorithm.digestCount : (1...longest(algorithm)).contains(count) else {
            throw .invalidSize(count)
        }
        guard info.byteCount <= longestInfo else { throw .inputTooLong(limit: longestInfo) }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let derivation = try Derivation("HKDF", in: context)
            var derived = try KeyError.guarding(SecureBytes(count: count))
            let isDerived = secret.withPointer { secretStart in
                salt.withPointer { saltStart in
                    info.withPointer { infoStart in
                        var parameters = Parameters()
                        parameters.add("mode", step.name)
                        parameters.add("digest", algorithm.name)
                        parameters.add("key", octets: secretStart, count: secret.byteCount)
                        if step != .expand { parameters.add("salt", octets: saltStart, count: salt.byteCount) }
                        if step != .extract { parameters.add("info", octets: infoStart, count: info.byteCount) }
                        return derivation.fill(&derived, count, parameters)
                    }
                }
            }
            guard isDerived else { throw .unavailable }
            return derived
        }
    }
}

/// The key derivation of ANSI X9.63.
public enum X963: Sendable {
    /// The number of bytes in the longest key that can be derived.
    public static let longest = 1 << 20

    /// Returns `count` bytes that are derived from `secret` and `info`.
    ///
    /// - Throws: ``KeyError/invalidSize(_:)`` for the count, or ``KeyError/memory(_:)``.
    public static func derive(
        _ count: Int, from secret: borrowing SecureBytes, info: RawSpan, _ algorithm: DigestAlgorithm
    ) throws(KeyError) -> SecureBytes {
        guard (1...longest).contains(count) else { throw .invalidSize(count) }
        let info = info.array()
        return try OpenSSL.perform { (context) throws(KeyError) in
            try derive(count, from: secret, info, algorithm, in: context)
        }
    }

    /// Returns `count` bytes, and this many zeros after them.
    static func derive(
        _ count: Int, zeros: Int = 0, from secret: borrowing SecureBytes, _ info: [UInt8],
        _ algorithm: DigestAlgorithm, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        let derivation = try Derivation("X963KDF", in: context)
        var derived = try KeyError.guarding(SecureBytes(count: count + zeros))
        let isDerived = secret.withBytes { secret in
            secret.withPointer { secretStart in
                info.span.bytes.withPointer { infoStart in
                    var parameters = Parameters()
                    parameters.add("digest", algorithm.name)
                    parameters.add("secret", octets: secretStart, count: secret.byteCount)
                    parameters.add("info", octets: infoStart, count: info.count)
                    return derivation.fill(&derived, count, parameters)
                }
            }
        }
        guard isDerived else { throw .unavailable }
        return derived
    }
}

/// A key derivation at work, which OpenSSL clears and frees when its life ends.
private struct Derivation: ~Copyable {
    private let pointer: OpaquePointer

    deinit { EVP_KDF_CTX_free(pointer) }

    init(_ name: StaticString, in context: OpaquePointer) throws(KeyError) {
        guard let function = EVP_KDF_fetch(context, name.characters, nil) else { throw .unavailable }
        defer { EVP_KDF_free(function) }
        guard let made = EVP_KDF_CTX_new(function) else { throw .unavailable }
        pointer = made
    }

    /// Derives the first `count` bytes of `target`.
    func fill(_ target: inout SecureBytes, _ count: Int, _ parameters: Parameters) -> Bool {
        target.withMutableBytes { target in
            parameters.withPointer { EVP_KDF_derive(pointer, target.octets, count, $0) == 1 }
        }
    }
}
