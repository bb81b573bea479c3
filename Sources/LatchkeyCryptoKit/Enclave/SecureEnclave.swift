public import Foundation
internal import Latchkey
public import LocalAuthentication
public import Security

/// The Secure Enclave of the device: here, the vault of the current keychain, which on its own uses the private keys.
///
/// ```swift
/// let access = SecAccessControlCreateWithFlags(
///     nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], nil)!
/// let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
/// let blob = key.dataRepresentation
/// let signature = try key.signature(for: challenge)
/// ```
///
/// A key is not stored. Keep its `dataRepresentation`, which only this device opens.
public enum SecureEnclave: Sendable {
    /// True if the current keychain is open.
    public static var isAvailable: Bool { (try? CurrentKeychain.now.keychain.device) != nil }

    /// Keys on P-256, the only curve of the enclave here.
    public enum P256: Sendable {
        /// ECDSA signatures.
        public enum Signing: Sendable {
            /// A key that signs inside the enclave.
            public struct PrivateKey: Sendable {
                private let key: EnclavePrivateKey

                /// Generates a key. If `compactRepresentable` is true, the public half has a compact representation.
                ///
                /// - Parameters:
                ///   - compactRepresentable: True for a key with a compact representation.
                ///   - accessControl: The access policy of the key.
                ///   - authenticationContext: The context for the prompts of the key.
                /// - Throws: `LAError` or ``CryptoKitError`` if the device denies such a key.
                public init(
                    compactRepresentable: Bool = true,
                    accessControl: SecAccessControl = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [], nil)!,
                    authenticationContext: LAContext? = nil
                ) throws {
                    key = try EnclavePrivateKey(
                        compactRepresentable: compactRepresentable, accessControl, authenticationContext)
                }

                /// Reads the `dataRepresentation` of a key. It asks nothing.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The bytes of the key.
                ///   - authenticationContext: The context for the prompts of the key.
                /// - Throws: ``CryptoKitError/underlyingCoreCryptoError(error:)`` with -26275 if another device made the
                ///   key, or the bytes were changed.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    key = try EnclavePrivateKey(dataRepresentation: dataRepresentation, authenticationContext)
                }

                /// The key, sealed so that only this device can use it.
                public var dataRepresentation: Data { key.dataRepresentation }

                /// The public half.
                public var publicKey: LatchkeyCryptoKit.P256.Signing.PublicKey {
                    LatchkeyCryptoKit.P256.Signing.PublicKey(point: key.point)
                }

                /// Returns a signature of this digest, prompting if the access control of the key needs it.
                ///
                /// - Throws: An `LAError` if the user is asked and does not authenticate; otherwise ``CryptoKitError``.
                public func signature<D: Digest>(for digest: D) throws -> LatchkeyCryptoKit.P256.Signing.ECDSASignature
                {
                    LatchkeyCryptoKit.P256.Signing.ECDSASignature(numbers: try key.sign(digest))
                }

                /// Returns a signature of the message with SHA-256, prompting if the access control of the key needs it.
                ///
                /// - Throws: An `LAError` if the user is asked and does not authenticate; otherwise ``CryptoKitError``.
                public func signature<D: DataProtocol>(
                    for data: D
                ) throws -> LatchkeyCryptoKit.P256.Signing.ECDSASignature {
                    try signature(for: SHA256.hash(data: data))
                }
            }
        }

        /// Agreement on secrets.
        public enum KeyAgreement: Sendable {
            /// A key that agrees on secrets inside the enclave.
            public struct PrivateKey: DiffieHellmanKeyAgreement, Sendable {
                private let key: EnclavePrivateKey

                /// Generates a key. If `compactRepresentable` is true, the public half has a compact representation.
                ///
                /// - Parameters:
                ///   - compactRepresentable: True for a key with a compact representation.
                ///   - accessControl: The access policy of the key.
                ///   - authenticationContext: The context for the prompts of the key.
                /// - Throws: `LAError` or ``CryptoKitError`` if the device denies such a key.
                public init(
                    compactRepresentable: Bool = true,
                    accessControl: SecAccessControl = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, [], nil)!,
                    authenticationContext: LAContext? = nil
                ) throws {
                    key = try EnclavePrivateKey(
                        compactRepresentable: compactRepresentable, accessControl, authenticationContext)
                }

                /// Reads the `dataRepresentation` of a key. It asks nothing.
                ///
                /// - Parameters:
                ///   - dataRepresentation: The bytes of the key.
                ///   - authenticationContext: The context for the prompts of the key.
                /// - Throws: ``CryptoKitError/underlyingCoreCryptoError(error:)`` with -26275 if another device made the
                ///   key, or the bytes were changed.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    key = try EnclavePrivateKey(dataRepresentation: dataRepresentation, authenticationContext)
                }

                /// The key, sealed so that only this device can use it.
                public var dataRepresentation: Data { key.dataRepresentation }

                /// The public half.
                public var publicKey: LatchkeyCryptoKit.P256.KeyAgreement.PublicKey {
                    LatchkeyCryptoKit.P256.KeyAgreement.PublicKey(point: key.point)
                }

                /// Returns the secret that this key and the owner of the other private key share, prompting if the
                /// access control of the key needs it.
                ///
                /// - Throws: An `LAError` if the user is asked and does not authenticate; otherwise ``CryptoKitError``.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: LatchkeyCryptoKit.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret {
                    try key.agree(with: publicKeyShare.point.key)
                }
            }
        }
    }
}
