public import Foundation
public import Security

/// The public key of a saved right. It needs no authorization.
public final class LAPublicKey: NSObject, Sendable {
    private let key: RightKey

    init(_ key: RightKey) { self.key = key }

    /// The bytes of the key, as `SecKeyCopyExternalRepresentation` returns them.
    ///
    /// - Throws: An ``LAError`` if the right was removed.
    public nonisolated(nonsending) var bytes: Data {
        get async throws { try await use { SecKeyCopyExternalRepresentation($0, &$1) } }
    }

    /// Encrypts data, which only the private key decrypts.
    ///
    /// - Throws: An ``LAError`` if the right was removed; an error of `NSOSStatusErrorDomain` if the key does not support
    ///   the algorithm.
    public nonisolated(nonsending) func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await use { SecKeyCreateEncryptedData($0, algorithm, data as CFData, &$1) }
    }

    /// Verifies a signature of the private key.
    ///
    /// - Throws: An error of `NSOSStatusErrorDomain` if the signature is not valid; an ``LAError`` if the right was
    ///   removed.
    public nonisolated(nonsending) func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm)
        async throws
    {
        _ = try await use { key, error in
            SecKeyVerifySignature(key, algorithm, signedData as CFData, signature as CFData, &error) ? CFData() : nil
        }
    }

    /// Returns true if the key can encrypt with this algorithm.
    public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool { key.supports(algorithm, for: .encrypt) }

    /// Returns true if the key can verify signatures of this algorithm.
    public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool { key.supports(algorithm, for: .verify) }

    private nonisolated(nonsending) func use(
        _ operation: @escaping @Sendable (SecKey, inout Unmanaged<CFError>?) -> CFData?
    ) async throws -> Data {
        try await key.use(in: nil) { privateKey, error in
            SecKeyCopyPublicKey(privateKey).flatMap { operation($0, &error) }
        }
    }
}
