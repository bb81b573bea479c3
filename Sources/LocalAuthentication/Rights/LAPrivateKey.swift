public import Foundation
internal import Latchkey
public import Security

/// The private key of a saved right, in the Secure Enclave. Only a right that is authorized uses it.
///
/// ```swift
/// let right = try await LARightStore.shared.saveRight(LARight(requirement: .biometry), identifier: "pay")
/// try await right.authorize(localizedReason: "Confirm the payment")
/// let signature = try await right.key.sign(payment, algorithm: .ecdsaSignatureMessageX962SHA256)
/// ```
public final class LAPrivateKey: NSObject {
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) { self.right = right }

    /// The public key. Everyone may use it, whether the right is authorized or not.
    public var publicKey: LAPublicKey { LAPublicKey(key) }

    /// Signs data.
    ///
    /// - Throws: An ``LAError`` unless the right is authorized; an error of `NSOSStatusErrorDomain` if the key does not
    ///   support the algorithm.
    public nonisolated(nonsending) func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await use { SecKeyCreateSignature($0, algorithm, data as CFData, &$1) }
    }

    /// Decrypts data that was encrypted with the public key.
    ///
    /// - Throws: An ``LAError`` unless the right is authorized; an error of `NSOSStatusErrorDomain` if the data does not
    ///   fit the key and the algorithm.
    public nonisolated(nonsending) func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await use { SecKeyCreateDecryptedData($0, algorithm, data as CFData, &$1) }
    }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Parameters:
    ///   - publicKey: The bytes of the other party's public key.
    ///   - parameters: The parameters that the algorithm needs, as for `SecKeyCopyKeyExchangeResult`.
    /// - Throws: An ``LAError`` unless the right is authorized; an error of `NSOSStatusErrorDomain` if the public key or
    ///   the parameters do not fit.
    public nonisolated(nonsending) func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
    ) async throws -> Data {
        // The closure only reads this copy, and the caller waits for it.
        nonisolated(unsafe) let parameters = parameters
        return try await use { key, error in
            let attributes = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            guard let other = SecKeyCreateWithData(publicKey as CFData, attributes, &error) else { return nil }
            return SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters, &error)
        }
    }

    /// Returns true if the key can sign with this algorithm.
    public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { key.supports(algorithm, for: .sign) }

    /// Returns true if the key can decrypt with this algorithm.
    public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { key.supports(algorithm, for: .decrypt) }

    /// Returns true if the key can agree on a secret with this algorithm.
    public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
        key.supports(algorithm, for: .keyExchange)
    }

    private var key: RightKey { RightKey(identifier: right.identifier) }

    private nonisolated(nonsending) func use(
        _ operation: @escaping @Sendable (SecKey, inout Unmanaged<CFError>?) -> CFData?
    ) async throws -> Data {
        try await key.use(in: right.authorizedContext, operation)
    }
}
