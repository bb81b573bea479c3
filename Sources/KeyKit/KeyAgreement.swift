internal import COpenSSL
public import SodiumKit

extension PrivateKey {
    /// The longest secret that the X9.63 key derivation gives.
    public static let longestSharedSecret = 1 << 20

    /// Returns the secret that this key and `other` share: the X coordinate of the agreed point, which Apple calls the
    /// key exchange without a key derivation. Do not use it as a key before you have hashed it.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/differentCurves`` or ``KeyError/memory(_:)``.
    public borrowing func sharedSecret(with other: PublicKey) throws(KeyError) -> SecureBytes {
        let curve = try curve(agreeingWith: other)
        return try OpenSSL.perform { (context) throws(KeyError) in
            try agree(with: other.makeEVPKey(in: context), on: curve, in: context)
        }
    }

    /// Returns `count` bytes that X9.63 derives from the secret that this key and `other` share, and from `sharedInfo`.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/differentCurves``, ``KeyError/invalidSize(_:)`` or
    ///   ``KeyError/memory(_:)``.
    public borrowing func sharedSecret(
        with other: PublicKey, derivedWith hash: HashFunction, count: Int, sharedInfo: RawSpan = RawSpan()
    ) throws(KeyError) -> SecureBytes {
        let curve = try curve(agreeingWith: other)
        guard (1...Self.longestSharedSecret).contains(count) else { throw .invalidSize(count) }
        let info = sharedInfo.array()
        return try OpenSSL.perform { (context) throws(KeyError) in
            let secret = try agree(with: other.makeEVPKey(in: context), on: curve, in: context)
            return try X963.derive(count, from: secret, info, hash, in: context)
        }
    }

    private borrowing func curve(agreeingWith other: PublicKey) throws(KeyError) -> Curve {
        guard case .ec(let curve) = type else { throw .unsupportedScheme(type) }
        guard case .ec(let otherCurve) = other.type else { throw .unsupportedScheme(other.type) }
        guard curve == otherCurve else { throw .differentCurves }
        return curve
    }

    /// Returns the X coordinate of the agreed point.
    borrowing func agree(
        with other: borrowing EVPKey, on curve: Curve, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        let operation = try EVPKeyContext(makeEVPKey(in: context), in: context)
        // The other key was checked when it was read.
        guard EVP_PKEY_derive_init(operation.pointer) == 1,
            EVP_PKEY_derive_set_peer_ex(operation.pointer, other.pointer, 0) == 1
        else { throw .unavailable }
        var secret = try KeyError.guarding { () throws(SodiumError) in
            try SecureBytes(count: curve.coordinateCount)
        }
        var count = curve.coordinateCount
        let isAgreed = secret.withMutableBytes { EVP_PKEY_derive(operation.pointer, $0.octets, &count) == 1 }
        guard isAgreed, count == curve.coordinateCount else { throw .unavailable }
        return secret
    }
}

/// The key derivation of ANSI X9.63.
enum X963 {
    /// Returns `count` bytes, and this many zeros after them.
    static func derive(
        _ count: Int, zeros: Int = 0, from secret: borrowing SecureBytes, _ info: [UInt8], _ hash: HashFunction,
        in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        guard let function = EVP_KDF_fetch(context, "X963KDF", nil) else { throw .unavailable }
        defer { EVP_KDF_free(function) }
        guard let derivation = EVP_KDF_CTX_new(function) else { throw .unavailable }
        defer { EVP_KDF_CTX_free(derivation) }
        var derived = try KeyError.guarding { () throws(SodiumError) in try SecureBytes(count: count + zeros) }
        let isDerived = secret.withBytes { secret in
            secret.withPointer { secretStart in
                info.span.bytes.withPointer { infoStart in
                    var parameters = Parameters()
                    parameters.add("digest", hash.name)
                    parameters.add("secret", octets: secretStart, count: secret.byteCount)
                    parameters.add("info", octets: infoStart, count: info.count)
                    return derived.withMutableBytes { derived in
                        parameters.withPointer { EVP_KDF_derive(derivation, derived.octets, count, $0) == 1 }
                    }
                }
            }
        }
        guard isDerived else { throw .unavailable }
        return derived
    }
}
