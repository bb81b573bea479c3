public import Foundation
internal import SodiumKit

/// Bernstein's curve, for signatures with Ed25519 and for key agreement with X25519.
public enum Curve25519: Sendable {
    /// Ed25519 signatures.
    public enum Signing: Sendable {
        /// A key that verifies signatures.
        public struct PublicKey: Sendable {
            /// The 32 bytes of the key.
            public let rawRepresentation: Data

            /// Takes the 32 bytes of a key.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                self.rawRepresentation = try keyData(rawRepresentation)
            }

            init(known bytes: [UInt8]) { rawRepresentation = Data(bytes) }

            /// Returns true if `signature` is a signature of the message.
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                rawRepresentation.withUnsafeBytes { key in
                    signature.withSpan { signature in
                        data.withSpan { Ed25519.isValid(signature, of: $0, by: key.bytes) }
                    }
                }
            }
        }

        /// A key that signs. The signature of a message is always the same.
        public struct PrivateKey: Sendable {
            private let secret: Secret25519
            /// The public half.
            public let publicKey: PublicKey

            private init(_ secret: Secret25519) {
                self.secret = secret
                publicKey = PublicKey(
                    known: guarding { () throws(SodiumError) in try Ed25519.publicHalf(of: secret.key) })
            }

            /// Generates a key.
            public init() { self.init(Secret25519()) }

            /// Takes the 32 bytes of a key.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                self.init(try Secret25519(rawRepresentation))
            }

            /// The 32 bytes of the key.
            public var rawRepresentation: Data { secret.data }

            /// Returns the signature of the message, which has 64 bytes.
            public func signature<D: DataProtocol>(for data: D) throws -> Data {
                data.withSpan { data in
                    Data(guarding { () throws(SodiumError) in try Ed25519.sign(data, with: secret.key) })
                }
            }
        }
    }

    /// Agreement on secrets with X25519.
    public enum KeyAgreement: Sendable {
        /// A key of the other party.
        public struct PublicKey: Sendable {
            /// The 32 bytes of the key.
            public let rawRepresentation: Data

            /// Takes the 32 bytes of a key.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                self.rawRepresentation = try keyData(rawRepresentation)
            }

            init(known bytes: [UInt8]) { rawRepresentation = Data(bytes) }
        }

        /// A key that agrees on secrets.
        public struct PrivateKey: DiffieHellmanKeyAgreement, Sendable {
            private let secret: Secret25519
            /// The public half.
            public let publicKey: PublicKey

            private init(_ secret: Secret25519) {
                self.secret = secret
                publicKey = PublicKey(known: Agreement.publicHalf(of: secret.key))
            }

            /// Generates a key.
            public init() { self.init(Secret25519()) }

            /// Takes the 32 bytes of a key.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                self.init(try Secret25519(rawRepresentation))
            }

            /// The 32 bytes of the key.
            public var rawRepresentation: Data { secret.data }

            /// Returns the secret that this key and the owner of the other private key share.
            ///
            /// - Throws: ``CryptoKitError/invalidParameter`` if the other key is one of the few that make the secret
            ///   predictable.
            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                try publicKeyShare.rawRepresentation.withUnsafeBytes { other in
                    let shared = guarding { () throws(SodiumError) in
                        try Agreement.key(secret.key, with: other.bytes)
                    }
                    switch consume shared {
                    case .some(let shared): return shared.withBytes { SharedSecret(copying: $0) }
                    case .none: throw CryptoKitError.invalidParameter
                    }
                }
            }
        }
    }
}

/// A private key in guarded memory.
private final class Secret25519: Sendable {
    let key: Key

    init() { key = guarding { () throws(SodiumError) in try Key.random() } }

    /// Copies the bytes of a key.
    init(_ bytes: some ContiguousBytes) throws {
        key = try bytes.withUnsafeBytes { bytes in
            guard bytes.count == Key.count else { throw CryptoKitError.incorrectKeySize }
            return SharedSecretBytes(copying: bytes.bytes)
        }.bytes.withBytes { bytes in guarding { () throws(SodiumError) in try Key(copying: bytes) } }
    }

    var data: Data { key.withBytes { Data(copying: $0) } }
}

private func keyData(_ bytes: some ContiguousBytes) throws -> Data {
    let data = bytes.withUnsafeBytes { Data($0) }
    guard data.count == Key.count else { throw CryptoKitError.incorrectKeySize }
    return data
}
