internal import KeyKit

/// One of NIST's elliptic curves: ``P256``, ``P384`` or ``P521``.
public protocol NISTCurve: Sendable {
    /// The hash function for the signatures of messages.
    associatedtype MessageHash: HashFunction
    /// The size of a coordinate in bits, which identifies the curve.
    static var bitCount: Int { get }
}

extension NISTCurve {
    static var curve: Curve {
        guard let curve = Curve.allCases.first(where: { $0.bits == bitCount }) else {
            preconditionFailure("there is no curve of NIST with \(bitCount) bits")
        }
        return curve
    }

    /// Checks that a key is on the curve.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if it is on another curve, or
    ///   ``CryptoKitASN1Error/invalidASN1Object`` if it is on none.
    fileprivate static func require(_ type: KeyType) throws {
        guard type.family == .ec else { throw CryptoKitASN1Error.invalidASN1Object }
        guard type == .ec(curve) else { throw CryptoKitError.incorrectParameterSize }
    }
}

/// The public half of a key on one curve, which was checked when it was made. Apps use it through the types of keys.
public struct CurvePoint<Curve: NISTCurve>: Hashable, Sendable {
    let key: PublicKey

    /// Takes a key.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if it is on another curve, or
    ///   ``CryptoKitASN1Error/invalidASN1Object`` if it is on none.
    init(_ key: PublicKey) throws {
        try Curve.require(key.type)
        self.key = key
    }

    init(of scalar: CurveScalar<Curve>) { key = scalar.key.publicKey }
}

/// The private half of a key on one curve, in guarded memory. Apps use it through the types of keys.
public final class CurveScalar<Curve: NISTCurve>: Sendable {
    let key: PrivateKey

    /// Takes a key.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if it is on another curve, or
    ///   ``CryptoKitASN1Error/invalidASN1Object`` if it is on none.
    init(_ key: consuming PrivateKey) throws {
        try Curve.require(key.type)
        self.key = key
    }
}
