// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import SodiumKit

/// Creates a key from its bytes: those that ``SecKeyCopyExternalRepresentation(_:_:)`` returns.
///
/// - Parameters:
///   - keyData: The bytes. Their length determines the curve of a key on an elliptic curve.
///   - attributes: ``kSecAttrKeyType`` and ``kSecAttrKeyClass``; the others are not read.
/// - Returns: The key; nil if the bytes are those of no such key, with the reason in `error`.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    reporting(error) { () throws(KeyFailure) in
        if attributes.value(under: kSecAttrTokenID) != nil {
            return SecKey(.enclaveKey(try EnclaveReference(reading: attributes)))
        }
        let type = try attributes.number(under: kSecAttrKeyType)
        let keyClass = try attributes.number(under: kSecAttrKeyClass)
        let bytes = try onStatus(SecureBytes(copying: keyData as Data))
        return SecKey(try SecKey.Kind(bytes, type: type, keyClass: keyClass))
    }
}

extension SecKey.Kind {
    /// Reads a key of this type and class, which have the numbers of `kSecAttrKeyType…` and `kSecAttrKeyClass…`.
    init(_ bytes: borrowing SecureBytes, type: Int64, keyClass: Int64) throws(KeyFailure) {
        switch keyClass {
        case 0:
            let family = try KeyFamily(type: type, isPrivate: false)
            try bytes.requireKnownCurve(family, numbers: 2)
            self = .publicKey(
                try onKey(
                    bytes.withBytes { (bytes) throws(KeyError) in
                        try PublicKey(externalRepresentation: bytes, family)
                    }))
        case 1:
            let family = try KeyFamily(type: type, isPrivate: true)
            try bytes.requireKnownCurve(family, numbers: 3)
            self = .privateKey(
                HeldKey(
                    try onKey(PrivateKey(externalRepresentation: bytes, family))))
        case 2: throw KeyFailure(errSecUnimplemented, "symmetric keys are not implemented")
        default: throw KeyFailure(errSecParam, "\(kSecAttrKeyClass) takes one of kSecAttrKeyClass…")
        }
    }
}

extension KeyFamily {
    /// The numbers of the types on curves that this module does not have, and of post-quantum keys.
    private static let others: ClosedRange<Int64> = 105...111
    /// The numbers of the types on an elliptic curve. Apple's system reads the last three, and only as public keys, like
    /// the others.
    private static let curves: Set<Int64> = [43, 73]
    private static let publicCurves: Set<Int64> = [2_147_483_678, 2_147_483_679, 2_147_483_680]

    /// Creates the family of a type with this number of `kSecAttrKeyType…`.
    init(type: Int64, isPrivate: Bool) throws(KeyFailure) {
        if type == 42 {
            self = .rsa
        } else if Self.curves.contains(type) || (!isPrivate && Self.publicCurves.contains(type)) {
            self = .ec
        } else if Self.others.contains(type) {
            throw KeyFailure(errSecUnimplemented, "keys of the type \(type) are not implemented: use P-256 or RSA")
        } else {
            throw KeyFailure(errSecParam, "\(kSecAttrKeyType) takes one of kSecAttrKeyType…")
        }
    }
}

extension SecureBytes {
    /// Throws ``errSecUnimplemented`` if the length is that of a key on one of Apple's curves that KeyKit does not have.
    ///
    /// - Parameter numbers: The number of coordinates and scalars in the key.
    fileprivate borrowing func requireKnownCurve(_ family: KeyFamily, numbers: Int) throws(KeyFailure) {
        let others = [192, 224].map { 1 + numbers * $0 / 8 }
        if family == .ec && others.contains(count) {
            throw KeyFailure(errSecUnimplemented, "keys of 192 and 224 bits are not implemented: use P-256")
        }
    }
}

extension CFDictionary {
    /// Returns the number under this key, which may be a text.
    fileprivate func number(under key: CFString) throws(KeyFailure) -> Int64 {
        switch value(under: key) {
        case let value? where text(value) != nil:
            if let number = text(value).flatMap(Int64.init), text(value) == String(number), number >= 0 {
                return number
            }
        case let number as NSNumber where boolean(number) == nil:
            if let number = Int64(exactly: number), number >= 0 { return number }
        default: break
        }
        throw KeyFailure(errSecParam, "\(key) is missing, or is no number")
    }
}
