public import Foundation
internal import KeyKit

/// An ECDSA signature: the numbers r and s.
public protocol NISTSignature: ContiguousBytes, Sendable {
    /// The curve of the key.
    associatedtype Curve: NISTCurve
    /// The numbers one after the other, each as long as a coordinate.
    var numbers: [UInt8] { get }
    /// Creates a signature with numbers of the right length.
    init(numbers: [UInt8])
}

extension NISTSignature {
    /// Reads r and s, each as long as a coordinate.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize``.
    public init<D: DataProtocol>(rawRepresentation: D) throws {
        guard let signature = ECDSASignature(fixed: Array(rawRepresentation), on: Curve.curve) else {
            throw CryptoKitError.incorrectParameterSize
        }
        self.init(numbers: signature.fixed)
    }

    /// Reads a sequence of r and s in DER.
    ///
    /// - Throws: ``CryptoKitASN1Error/invalidASN1Object``.
    public init<D: DataProtocol>(derRepresentation: D) throws {
        let bytes = Array(derRepresentation)
        let signature = try onKeys(ECDSASignature(der: bytes.span.bytes, on: Curve.curve))
        self.init(numbers: signature.fixed)
    }

    /// The numbers r and s, each as long as a coordinate.
    public var rawRepresentation: Data { Data(numbers) }

    /// The sequence of r and s in DER.
    public var derRepresentation: Data {
        // The length was checked when the signature was made.
        Data(ECDSASignature(fixed: numbers, on: Curve.curve)?.der ?? [])
    }

    /// Lends the raw representation to `body`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try numbers.withUnsafeBytes(body)
    }
}
