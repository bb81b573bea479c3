public import Foundation
internal import KeyKit
internal import SodiumKit

/// A private key on one of NIST's curves. It is in guarded memory, which is wiped when the last copy of the value is
/// gone. The representations that you ask for are not wiped.
public protocol NISTPrivateKey: Sendable {
    /// The type of the public half.
    associatedtype PublicKey: NISTPublicKey
    /// The key without its purpose.
    var scalar: CurveScalar<PublicKey.Curve> { get }
    /// Creates a key for this purpose.
    init(scalar: CurveScalar<PublicKey.Curve>)
}

extension NISTPrivateKey {
    private static var curve: Curve { PublicKey.Curve.curve }

    private init(_ key: consuming PrivateKey) throws { self.init(scalar: try CurveScalar(key)) }

    /// Generates a key. If `compactRepresentable` is true, the public half has a compact representation.
    public init(compactRepresentable: Bool = true) {
        let key = withoutFail { () throws(KeyError) in
            try PrivateKey.generate(.ec(Self.curve), isCompact: compactRepresentable)
        }
        guard let scalar = try? CurveScalar<PublicKey.Curve>(key) else { preconditionFailure("the curve is another") }
        self.init(scalar: scalar)
    }

    /// Reads and checks a key of 04, X, Y and K.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the key.
    public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
        self = try x963Representation.withUnsafeBytes { bytes in
            guard bytes.count == Self.curve.pointCount + Self.curve.coordinateCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            let copy = guarding { () throws(SodiumError) in try SecureBytes(copying: bytes.bytes) }
            return try Self(try onKeys(PrivateKey(externalRepresentation: copy, .ec)))
        }
    }

    /// Reads and checks a key of K.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the key.
    public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
        self = try rawRepresentation.withUnsafeBytes { bytes in
            try Self(
                try onKeys(PrivateKey(scalar: bytes.bytes, on: Self.curve)))
        }
    }

    /// Reads and checks a key in DER: PKCS#8 or SEC 1.
    ///
    /// - Throws: ``CryptoKitASN1Error``; ``CryptoKitError/incorrectParameterSize`` if K lacks its leading zeros, or the key
    ///   is on another curve; or another error of the key.
    public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
        var copy = guarding { () throws(SodiumError) in try SecureBytes(count: derRepresentation.count) }
        copy.withMutableBytes { $0.copyBytes(from: derRepresentation) }
        try self.init(try onKeys(PrivateKey(der: copy, isPadded: true)))
    }

    /// Reads and checks a key in PEM: PKCS#8 or SEC 1.
    ///
    /// - Throws: ``CryptoKitASN1Error``; ``CryptoKitError/incorrectParameterSize`` if K lacks its leading zeros, or the key
    ///   is on another curve; or another error of the key.
    public init(pemRepresentation: String) throws {
        let copy = guarding { () throws(SodiumError) in try SecureBytes(pemRepresentation) }
        try self.init(try onKeys(PrivateKey(pem: copy, isPadded: true)))
    }

    /// The public half.
    public var publicKey: PublicKey { PublicKey(point: CurvePoint(of: scalar)) }

    /// The scalar K.
    public var rawRepresentation: Data {
        scalar.key.withExternalRepresentation { Data(copying: $0.extracting(droppingFirst: Self.curve.pointCount)) }
    }

    /// The key as 04, X, Y and K.
    public var x963Representation: Data { scalar.key.withExternalRepresentation { Data(copying: $0) } }

    /// The key as PKCS#8 in DER.
    public var derRepresentation: Data {
        Data(revealing: withoutFail { () throws(KeyError) in try scalar.key.der(.pkcs8) })
    }

    /// The key as PKCS#8 in PEM.
    public var pemRepresentation: String {
        let text = withoutFail { () throws(KeyError) in try scalar.key.pem(.pkcs8) }
        return (text.string() ?? "").withoutLastLineEnd
    }
}

/// A private key that makes ECDSA signatures.
public protocol NISTSigningPrivateKey: NISTPrivateKey where PublicKey: NISTSigningPublicKey {}

extension NISTSigningPrivateKey {
    /// Returns a signature of this digest.
    ///
    /// - Throws: ``CryptoKitError/underlyingCoreCryptoError(error:)`` if there is no memory left.
    public func signature<D: Digest>(for digest: D) throws -> PublicKey.ECDSASignature {
        let numbers = try digest.withUnsafeBytes { digest in
            try onKeys(scalar.key.sign(digest.bytes, with: .ecdsaOfAnyDigest(.rfc4754)))
        }
        return PublicKey.ECDSASignature(numbers: numbers)
    }

    /// Returns a signature of the message. The curve determines its hash function.
    ///
    /// - Throws: ``CryptoKitError/underlyingCoreCryptoError(error:)`` if there is no memory left.
    public func signature<D: DataProtocol>(for data: D) throws -> PublicKey.ECDSASignature {
        try signature(for: PublicKey.Curve.MessageHash.hash(data: data))
    }
}

/// A private key that agrees on secrets.
public protocol NISTAgreementPrivateKey: NISTPrivateKey, DiffieHellmanKeyAgreement {}

extension NISTAgreementPrivateKey {
    /// Returns the secret that this key and the owner of the other private key share: the X coordinate of the agreed
    /// point.
    ///
    /// - Throws: ``CryptoKitError/underlyingCoreCryptoError(error:)`` if there is no memory left.
    public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
        SharedSecret(try onKeys(scalar.key.sharedSecret(with: publicKeyShare.point.key)))
    }
}
