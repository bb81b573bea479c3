public import SodiumKit

/// The derivation of X9.63: what an agreed secret is turned into before it is used as a key.
public struct KeyDerivation: Hashable, Sendable {
    /// The hash function.
    public var hash: HashAlgorithm
    /// The number of bytes to derive.
    public var count: Int
    /// Data that both parties know besides the keys.
    public var sharedInfo: [UInt8]

    /// Creates a derivation.
    public init(_ hash: HashAlgorithm, count: Int, sharedInfo: [UInt8] = []) {
        self.hash = hash
        self.count = count
        self.sharedInfo = sharedInfo
    }
}

/// One operation with a private key, as a value that can be handed to the holder of the key.
public enum KeyOperation: Hashable, Sendable {
    /// Signs an input.
    case sign([UInt8], SignatureScheme)
    /// Decrypts a message.
    case decrypt([UInt8], EncryptionScheme, EncryptionParameters)
    /// Agrees on a shared secret. Without a derivation, the result is the X coordinate of the agreed point.
    case agree(PublicKey, KeyDerivation?)
}

/// The result of a ``KeyOperation``.
public enum KeyOutput: ~Copyable, Sendable {
    /// A signature, which is no secret.
    case signature([UInt8])
    /// A decrypted message or a shared secret.
    case secret(SecureBytes)
}

extension PrivateKey {
    /// Carries out an operation with this key.
    ///
    /// - Throws: ``KeyError``, as the method for the operation documents.
    public borrowing func perform(_ operation: KeyOperation) throws(KeyError) -> KeyOutput {
        switch operation {
        case .sign(let input, let scheme): .signature(try sign(input.span.bytes, with: scheme))
        case .decrypt(let box, let scheme, let parameters):
            .secret(try decrypt(box.span.bytes, with: scheme, parameters))
        case .agree(let other, nil): .secret(try sharedSecret(with: other))
        case .agree(let other, let derivation?):
            .secret(
                try sharedSecret(
                    with: other, derivedWith: derivation.hash, count: derivation.count,
                    sharedInfo: derivation.sharedInfo.span.bytes))
        }
    }
}
