public import Foundation

extension HPKE {
    /// The party that opens the messages of one sender, in the order of their sealing.
    public struct Recipient: Sendable {
        private var context: HPKEContext

        /// Creates a recipient for a sender who is not known.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            privateKey: SK, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            try self.init(privateKey, ciphersuite, info, encapsulatedKey, nil, nil)
        }

        /// Creates a recipient for a sender who knows a key that the recipient knows too.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            privateKey: SK, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            let sharedKey = HPKEContext.SharedKey(key: psk, identifier: pskID)
            try self.init(privateKey, ciphersuite, info, encapsulatedKey, nil, sharedKey)
        }

        /// Creates a recipient for the owner of a private key.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            privateKey: SK, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            authenticatedBy authenticationKey: SK.PublicKey
        ) throws {
            try self.init(privateKey, ciphersuite, info, encapsulatedKey, authenticationKey, nil)
        }

        /// Creates a recipient for the owner of a private key who also knows a key that the recipient knows too.
        ///
        /// - Throws: ``Errors/inconsistentCiphersuiteAndKey``, or an error of a key.
        public init<SK: HPKEDiffieHellmanPrivateKey>(
            privateKey: SK, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            authenticatedBy authenticationKey: SK.PublicKey, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            let sharedKey = HPKEContext.SharedKey(key: psk, identifier: pskID)
            try self.init(privateKey, ciphersuite, info, encapsulatedKey, authenticationKey, sharedKey)
        }

        private init<SK: HPKEDiffieHellmanPrivateKey>(
            _ key: SK, _ suite: Ciphersuite, _ info: Data, _ encapsulatedKey: Data, _ sender: SK.PublicKey?,
            _ sharedKey: HPKEContext.SharedKey?
        ) throws {
            let encapsulation = try Encapsulation(encapsulatedKey, to: key, from: sender, suite.kem)
            context = try HPKEContext(
                encapsulation.secret, suite, info: info, sharedKey, isAuthenticated: sender != nil)
        }

        /// Returns the next message, which was sealed with additional data.
        ///
        /// - Throws: ``CryptoKitError/authenticationFailure``, ``Errors/ciphertextTooShort``, or ``Errors/exportOnlyMode`` if
        ///   the suite has no cipher.
        public mutating func open<C: DataProtocol, AD: DataProtocol>(
            _ ciphertext: C, authenticating aad: AD
        ) throws -> Data {
            try context.open(ciphertext, authenticating: aad)
        }

        /// Returns the next message.
        ///
        /// - Throws: ``CryptoKitError/authenticationFailure``, ``Errors/ciphertextTooShort``, or ``Errors/exportOnlyMode`` if
        ///   the suite has no cipher.
        public mutating func open<C: DataProtocol>(_ ciphertext: C) throws -> Data {
            try context.open(ciphertext, authenticating: Data())
        }

        /// Derives a secret for another use, which the sender derives too.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize`` for more than 255 times the bytes of a digest, or a context of
        ///   about 32 KiB.
        public func exportSecret<Context: DataProtocol>(context: Context, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context, outputByteCount)
        }
    }
}
