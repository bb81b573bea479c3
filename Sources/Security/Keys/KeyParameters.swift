public import Foundation
internal import KeyKit

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, @unchecked Sendable {  // the text is a constant
    /// Apple's text for the parameter.
    public let rawValue: CFString

    /// Creates the parameter with this text.
    public init(rawValue: CFString) { self.rawValue = rawValue }

    /// The number of bytes to derive.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// Data that both parties know besides the keys.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}

// A parameter is a key of dictionaries, where its text finds it, as on Apple's platforms.
extension SecKeyKeyExchangeParameter: _HasCustomAnyHashableRepresentation {
    /// Returns the text of the parameter as the key that dictionaries use.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(rawValue as String) }
}

/// The size of the AES key of ECIES, in bits: a number. Apple keeps this name private.
public nonisolated(unsafe) let kSecKeyEncryptionParameterSymmetricKeySizeInBits: CFString = "symKeySize"
/// Data that the tag of ECIES also protects. Apple keeps this name private.
public nonisolated(unsafe) let kSecKeyEncryptionParameterSymmetricAAD: CFString = "aad"

extension EncryptionParameters {
    init(reading parameters: CFDictionary) throws(KeyFailure) {
        self.init()
        sharedInfo = try parameters.bytes(under: SecKeyKeyExchangeParameter.sharedInfo.rawValue) ?? []
        additionalData = try parameters.bytes(under: kSecKeyEncryptionParameterSymmetricAAD) ?? []
        keyCount = try parameters.count(under: kSecKeyEncryptionParameterSymmetricKeySizeInBits).map { $0 / 8 }
    }
}

extension KeyDerivation {
    /// Reads the parameters of a key exchange.
    init(_ hash: HashAlgorithm, reading parameters: CFDictionary) throws(KeyFailure) {
        guard let count = try parameters.count(under: SecKeyKeyExchangeParameter.requestedSize.rawValue) else {
            throw KeyFailure(errSecParam, "the key exchange needs the parameter requestedSize")
        }
        let info = try parameters.bytes(under: SecKeyKeyExchangeParameter.sharedInfo.rawValue) ?? []
        self.init(hash, count: count, sharedInfo: info)
    }
}

extension CFDictionary {
    /// Returns the value under this key, out of optionals; nil if there is none.
    func value(under key: CFString) -> Any? { self[key as String].flatMap(something) }

    fileprivate func bytes(under key: CFString) throws(KeyFailure) -> [UInt8]? {
        guard let value = value(under: key) else { return nil }
        guard let data = value as? Data else { throw KeyFailure(errSecParam, "\(key) takes Data") }
        return Array(data)
    }

    fileprivate func count(under key: CFString) throws(KeyFailure) -> Int? {
        guard let value = value(under: key) else { return nil }
        guard boolean(value) == nil, let number = value as? NSNumber, let count = Int(exactly: number) else {
            throw KeyFailure(errSecParam, "\(key) takes a whole number")
        }
        return count
    }
}
