public import Foundation
internal import KeyKit

/// A public key on one of NIST's curves.
public protocol NISTPublicKey: Sendable {
    /// The curve.
    associatedtype Curve: NISTCurve
    /// The key without its purpose.
    var point: CurvePoint<Curve> { get }
    /// Creates a key for this purpose.
    init(point: CurvePoint<Curve>)
}

extension NISTPublicKey {
    private init(_ make: @autoclosure () throws(KeyError) -> PublicKey) throws {
        self.init(point: try CurvePoint(try onKeys(try make())))
    }

    /// Reads and checks a key of X and Y.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the point.
    public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        let whole = rawRepresentation.withUnsafeBytes { [4] + Array($0) }
        try self.init(x963Representation: whole)
    }

    /// Reads and checks a key of the X coordinate, whose Y coordinate is not above its negative.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the point.
    public init<Bytes: ContiguousBytes>(compactRepresentation: Bytes) throws {
        self = try compactRepresentation.withUnsafeBytes { bytes in
            try Self(PublicKey(compactPoint: bytes.bytes, on: Curve.curve))
        }
    }

    /// Reads and checks a key of 04, X and Y.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the point.
    public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
        self = try x963Representation.withUnsafeBytes { bytes in
            guard bytes.count == Curve.curve.pointCount else { throw CryptoKitError.incorrectParameterSize }
            return try Self(PublicKey(externalRepresentation: bytes.bytes, .ec))
        }
    }

    /// Reads and checks a key of 02 or 03 and X.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``, or an error of the point.
    public init<Bytes: ContiguousBytes>(compressedRepresentation: Bytes) throws {
        self = try compressedRepresentation.withUnsafeBytes { bytes in
            try Self(PublicKey(compressedPoint: bytes.bytes, on: Curve.curve))
        }
    }

    /// Reads and checks a SubjectPublicKeyInfo in DER.
    ///
    /// - Throws: ``CryptoKitASN1Error``; ``CryptoKitError/incorrectParameterSize`` if the key is on another curve; or an
    ///   error of the point.
    public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
        let bytes = Array(derRepresentation)
        try self.init(PublicKey(subjectPublicKeyInfo: bytes.span.bytes))
    }

    /// Reads and checks a SubjectPublicKeyInfo in PEM.
    ///
    /// - Throws: ``CryptoKitASN1Error``; ``CryptoKitError/incorrectParameterSize`` if the key is on another curve; or an
    ///   error of the point.
    public init(pemRepresentation: String) throws {
        let bytes = Array(pemRepresentation.utf8)
        try self.init(PublicKey(pem: bytes.span.bytes))
    }

    /// The X and Y coordinates.
    public var rawRepresentation: Data { x963Representation.dropFirst().copied }

    /// The X coordinate, if it determines the key: Y is not above its negative. Otherwise nil.
    public var compactRepresentation: Data? { point.key.compactPoint.map { Data($0) } }

    /// The point: 04, X and Y.
    public var x963Representation: Data { Data(point.key.externalRepresentation) }

    /// The compressed point: 02 if Y is even or 03 if it is odd, and X.
    public var compressedRepresentation: Data { Data(point.key.compressedPoint ?? []) }

    /// The SubjectPublicKeyInfo in DER.
    public var derRepresentation: Data { Data(point.key.subjectPublicKeyInfo) }

    /// The SubjectPublicKeyInfo in PEM.
    public var pemRepresentation: String {
        withoutFail { () throws(KeyError) in try point.key.pem() }.withoutLastLineEnd
    }
}

extension Data {
    /// A copy of the bytes, counted from zero.
    var copied: Data { Data(self) }
}

extension String {
    var withoutLastLineEnd: String { last == "\n" ? String(dropLast()) : self }
}

/// A public key that verifies ECDSA signatures.
public protocol NISTSigningPublicKey: NISTPublicKey {
    /// The type of the signatures.
    associatedtype ECDSASignature: NISTSignature where ECDSASignature.Curve == Curve
}

extension NISTSigningPublicKey {
    /// Returns true if `signature` is a signature of this digest.
    public func isValidSignature<D: Digest>(_ signature: ECDSASignature, for digest: D) -> Bool {
        let isValid = try? digest.withUnsafeBytes { digest in
            try point.key.verify(
                signature.numbers.span.bytes, of: digest.bytes, with: .ecdsaOfAnyDigest(.rfc4754))
        }
        return isValid ?? false
    }

    /// Returns true if `signature` is a signature of the message. The curve determines its hash function.
    public func isValidSignature<D: DataProtocol>(_ signature: ECDSASignature, for data: D) -> Bool {
        isValidSignature(signature, for: Curve.MessageHash.hash(data: data))
    }
}
