internal import COpenSSL
public import SodiumKit

extension PrivateKey {
    /// The longest secret that the X9.63 key derivation gives.
    public static let longestSharedSecret = X963.longest

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
        with other: PublicKey, derivedWith hash: HashAlgorithm, count: Int, sharedInfo: RawSpan = RawSpan()
    ) throws(KeyError) -> SecureBytes {
        let curve = try curve(agreeingWith: other)
        guard (1...Self.longestSharedSecret).contains(count) else { throw .invalidSize(count) }
        let info = sharedInfo.array()
        return try OpenSSL.perform { (context) throws(KeyError) in
            let secret = try agree(with: other.makeEVPKey(in: context), on: curve, in: context)
            return try X963.derive(count, from: secret, info, .standard(hash), in: context)
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
        var secret = try KeyError.guarding(SecureBytes(count: curve.coordinateCount))
        var count = curve.coordinateCount
        let isAgreed = secret.withMutableBytes { EVP_PKEY_derive(operation.pointer, $0.octets, &count) == 1 }
        guard isAgreed, count == curve.coordinateCount else { throw .unavailable }
        return secret
    }
}
