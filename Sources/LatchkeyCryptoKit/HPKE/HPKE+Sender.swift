public import Foundation

extension HPKE {
    /// The party that seals messages for a recipient.
    public struct Sender: Sendable {
        /// The bytes that the recipient needs besides the messages.
        public let encapsulatedKey: Data
        private var context: HPKEContext

        /// Creates a sender without a name: the recipient does not know who sends.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of the key.
        public init<PK: HPKEDiffieHellmanPublicKey>(recipientKey: PK, ciphersuite: Ciphersuite, info: Data) throws {
            try self.init(try Encapsulation(to: recipientKey, ciphersuite.kem), ciphersuite, info, nil, false)
        }

        /// Creates a sender who shows that they know a key that the recipient knows too.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of the key.
        public init<PK: HPKEDiffieHellmanPublicKey>(
            recipientKey: PK, ciphersuite: Ciphersuite, info: Data, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                try Encapsulation(to: recipientKey, ciphersuite.kem), ciphersuite, info,
                HPKEContext.SharedKey(key: psk, identifier: pskID), false)
        }

        /// Creates a sender who shows that they own a private key.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            recipientKey: SK.PublicKey, ciphersuite: Ciphersuite, info: Data, authenticatedBy authenticationKey: SK
        ) throws {
            try self.init(
                try Encapsulation(to: recipientKey, from: authenticationKey, ciphersuite.kem), ciphersuite, info, nil,
                true)
        }

        /// Creates a sender who shows both.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            recipientKey: SK.PublicKey, ciphersuite: Ciphersuite, info: Data, authenticatedBy authenticationKey: SK,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                try Encapsulation(to: recipientKey, from: authenticationKey, ciphersuite.kem), ciphersuite, info,
                HPKEContext.SharedKey(key: psk, identifier: pskID), true)
        }

        private init(
            _ encapsulation: Encapsulation, _ suite: Ciphersuite, _ info: Data, _ sharedKey: HPKEContext.SharedKey?,
            _ isAuthenticated: Bool
        ) throws {
            encapsulatedKey = encapsulation.encapsulatedKey
            context = try HPKEContext(
                encapsulation.secret, suite, info: info, sharedKey, isAuthenticated: isAuthenticated)
        }

        /// Encrypts the next message, and protects it and additional data with a tag.
        ///
        /// - Throws: ``Errors/exportOnlyMode`` if the suite has no cipher.
        public mutating func seal<M: DataProtocol, AD: DataProtocol>(_ msg: M, authenticating aad: AD) throws -> Data {
            try context.seal(msg, authenticating: aad)
        }

        /// Encrypts the next message.
        ///
        /// - Throws: ``Errors/exportOnlyMode`` if the suite has no cipher.
        public mutating func seal<M: DataProtocol>(_ msg: M) throws -> Data {
            try context.seal(msg, authenticating: Data())
        }

        /// Derives a secret for another use, which the recipient derives too.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize`` for more than 255 times the bytes of a digest, or a context of
        ///   about 32 KiB.
        public func exportSecret<Context: DataProtocol>(context: Context, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context, outputByteCount)
        }
    }
}
