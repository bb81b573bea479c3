import CryptoKit
import Foundation
import LocalAuthentication

/// The key with which this device answers a bank's challenges. Each answer takes a finger, and a new finger ends the key.
public struct DeviceKey {
    private let key: SecureEnclave.P256.Signing.PrivateKey

    /// Generates a key.
    public init(context: LAContext? = nil) throws {
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], nil)!
        key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: access, authenticationContext: context)
    }

    /// Reads a key that was kept.
    public init(kept blob: Data, context: LAContext? = nil) throws {
        key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob, authenticationContext: context)
    }

    /// The bytes to keep.
    public var blob: Data { key.dataRepresentation }

    /// The public half, for the bank.
    public var publicKey: String { key.publicKey.pemRepresentation }

    /// Answers a challenge.
    public func answer(_ challenge: Data) throws -> Data { try key.signature(for: challenge).derRepresentation }
}

/// Checks an answer, as the bank does.
public func bankAccepts(_ answer: Data, to challenge: Data, from publicKey: String) throws -> Bool {
    let key = try P256.Signing.PublicKey(pemRepresentation: publicKey)
    return try key.isValidSignature(P256.Signing.ECDSASignature(derRepresentation: answer), for: challenge)
}

#if canImport(CryptoKit)
    /// True if code that asks for CryptoKit finds it.
    public let findsCryptoKit = true
#else
    /// True if code that asks for CryptoKit finds it.
    public let findsCryptoKit = false
#endif
