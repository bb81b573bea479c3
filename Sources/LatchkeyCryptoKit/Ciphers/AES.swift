public import Foundation
internal import KeyKit

/// The Advanced Encryption Standard.
public enum AES: Sendable {
    /// AES in Galois/counter mode, with a key of 128, 192 or 256 bits.
    ///
    /// ```swift
    /// let box = try AES.GCM.seal(message, using: key)
    /// let opened = try AES.GCM.open(box, using: key)
    /// ```
    public enum GCM: Sendable {
        /// A nonce, which must never be used twice with the same key.
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            let bytes: [UInt8]

            /// Creates a random nonce of 12 bytes.
            public init() { bytes = SealedParts.randomNonce() }

            /// Creates a nonce with these bytes.
            ///
            /// - Throws: ``CryptoKitError/incorrectParameterSize`` if there are fewer than 12 or more than 128.
            public init<D: DataProtocol>(data: D) throws {
                bytes = Array(data)
                guard
                    AuthenticatedCipher.aesGCM.nonceCounts.contains(bytes.count)
                        && bytes.count >= SealedParts.nonceCount
                else {
                    throw CryptoKitError.incorrectParameterSize
                }
            }

            init(known bytes: [UInt8]) { self.bytes = bytes }

            /// Lends the bytes to `body`.
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                try bytes.withUnsafeBytes(body)
            }

            /// Returns an iterator over the bytes.
            public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
        }

        /// An encrypted message with its nonce and its tag.
        public struct SealedBox: Sendable {
            let parts: SealedParts

            /// The nonce.
            public var nonce: Nonce { Nonce(known: parts.nonce) }
            /// The encrypted message, which is as long as the message.
            public var ciphertext: Data { parts.ciphertext }
            /// The tag, which has 16 bytes.
            public var tag: Data { parts.tag }

            /// Nonce, ciphertext and tag in one piece; nil if the nonce does not have 12 bytes.
            public var combined: Data? { parts.nonce.count == SealedParts.nonceCount ? parts.combined : nil }

            init(_ parts: SealedParts) { self.parts = parts }

            /// Takes apart nonce, ciphertext and tag in one piece.
            ///
            /// - Throws: ``CryptoKitError/incorrectParameterSize`` if there are fewer than 28 bytes.
            public init<D: DataProtocol>(combined: D) throws { parts = try SealedParts(combined: combined) }

            /// Creates a box from its parts.
            ///
            /// - Throws: ``CryptoKitError/incorrectParameterSize`` if the tag does not have 16 bytes.
            public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {
                parts = try SealedParts(nonce: nonce.bytes, ciphertext: ciphertext, tag: tag)
            }
        }

        /// Encrypts a message, and protects it and additional data with a tag. Without a nonce, it takes a random one.
        ///
        /// - Throws: ``CryptoKitError/incorrectKeySize``.
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> SealedBox {
            let nonce = nonce ?? Nonce()
            return SealedBox(try SealedParts(.aesGCM, message, key, nonce: nonce.bytes, authenticatedData))
        }

        /// Encrypts a message, and protects it with a tag. Without a nonce, it takes a random one.
        ///
        /// - Throws: ``CryptoKitError/incorrectKeySize``.
        public static func seal<Plaintext: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
        ) throws -> SealedBox {
            try seal(message, using: key, nonce: nonce, authenticating: [UInt8]())
        }

        /// Returns the message in a box that was sealed with additional data.
        ///
        /// - Throws: ``CryptoKitError/authenticationFailure``, or ``CryptoKitError/incorrectKeySize``.
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data {
            try sealedBox.parts.open(.aesGCM, key, authenticatedData)
        }

        /// Returns the message in a box.
        ///
        /// - Throws: ``CryptoKitError/authenticationFailure``, or ``CryptoKitError/incorrectKeySize``.
        public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
            try open(sealedBox, using: key, authenticating: [UInt8]())
        }
    }
}
