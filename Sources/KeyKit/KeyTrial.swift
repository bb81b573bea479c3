internal import SodiumKit

/// An operation whose result shows if it was done with the private key of a public one. Simulations and tests use it.
package struct KeyTrial: Sendable {
    package let operation: KeyOperation
    private let publicKey: PublicKey
    /// The message to sign, or the secret to get.
    private let expected: [UInt8]

    package static func signing(by publicKey: PublicKey) throws(KeyError) -> KeyTrial {
        let message = try fresh()
        let scheme: SignatureScheme =
            publicKey.type.family == .ec ? .ecdsa(.x962, .sha256, .message) : .rsaPSS(.sha256, .message)
        return KeyTrial(operation: .sign(message, scheme), publicKey: publicKey, expected: message)
    }

    /// Creates the decrypting of a new message, for a key on a curve.
    package static func decrypting(by publicKey: PublicKey) throws(KeyError) -> KeyTrial {
        let message = try fresh()
        let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
        let box = try publicKey.encrypt(message.span.bytes, with: scheme)
        return KeyTrial(
            operation: .decrypt(box, scheme, EncryptionParameters()), publicKey: publicKey, expected: message)
    }

    /// Creates the agreeing with a new key, for a key on a curve.
    package static func agreeing(by publicKey: PublicKey) throws(KeyError) -> KeyTrial {
        let other = try PrivateKey.generate(publicKey.type)
        let secret = try other.sharedSecret(with: publicKey)
        return KeyTrial(
            operation: .agree(other.publicKey, nil), publicKey: publicKey, expected: secret.withBytes { $0.array() })
    }

    private static func fresh() throws(KeyError) -> [UInt8] {
        try PrivateKey.generate(.ec(.p256)).publicKey.externalRepresentation
    }

    /// Returns true if the operation was done with the private key.
    package func isRight(_ output: borrowing KeyOutput) -> Bool {
        switch output {
        case .signature(let signature):
            guard case .sign(let message, let scheme) = operation else { return false }
            return (try? publicKey.verify(signature.span.bytes, of: message.span.bytes, with: scheme)) == true
        case .secret(let secret):
            if case .sign = operation { return false }
            return secret.withBytes { $0.array() == expected }
        }
    }
}

extension PrivateKey {
    /// Creates the key on P-256 that follows from `text`, for simulations and tests. It is no harder to guess than the
    /// text.
    package init(derivedFrom text: String) throws(KeyError) {
        // One scalar in four billion is out of range, and the next one is taken.
        for round in UInt8.min...UInt8.max {
            let input = [round] + Array("a key for a simulation: \(text)".utf8)
            let scalar = try HashAlgorithm.sha256.digest(of: input.span.bytes)
            let octets = DERElement.element(DERTag.octetString, .bytes(0..<scalar.count))
            let named = DERElement.element(DERTag.context(0), Curve.p256.element)
            let der = DERElement.sequence([.number(1), octets, named]).encoded(from: scalar.span.bytes)
            let bytes = try KeyError.guarding(SecureBytes(copying: der.span.bytes))
            if let key = try? PrivateKey(der: bytes) {
                self = key
                return
            }
        }
        throw .invalidKey
    }
}
