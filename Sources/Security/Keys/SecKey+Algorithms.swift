// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeyKit

/// Returns true if a key supports an algorithm for an operation.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    key.supported(algorithm, for: operation) != nil
}

extension SecKey {
    /// Returns what an algorithm does, or nil if the key does not support it for this operation.
    func supported(_ algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType) -> KeyAlgorithm? {
        guard let known = KeyAlgorithm.all[algorithm] else { return nil }
        let type = publicKey.type
        let family = type.family
        let isSupported =
            switch (operation, known) {
            case (.sign, .signature(let scheme)): scheme.family == family && isPrivate && scheme.fits(type)
            // Apple's RSA keys verify by decrypting, which a private key does as well, although with another result.
            case (.verify, .signature(let scheme)): scheme.family == family && (!isPrivate || family == .rsa)
            case (.encrypt, .encryption(let scheme)): scheme.family == family && !isPrivate
            case (.decrypt, .encryption(let scheme)):
                scheme.family == family && (isPrivate || scheme.isDecryptedByPublicKeys)
            case (.keyExchange, .exchange): family == .ec && isPrivate
            case (_, .signature), (_, .encryption), (_, .exchange): false
            }
        return isSupported ? known : nil
    }
}

extension KeyFailure {
    /// Creates the error for an algorithm that a key does not support.
    static func unsupported(_ algorithm: SecKeyAlgorithm) -> KeyFailure {
        KeyFailure(errSecParam, "the key does not support \(algorithm.rawValue) for this operation")
    }
}

extension EncryptionScheme {
    /// True if Apple's public RSA keys accept the scheme for decrypting: a public and a private key differ only in the
    /// exponent.
    fileprivate var isDecryptedByPublicKeys: Bool {
        switch self {
        case .rsaRaw, .rsaPKCS1, .rsaOAEP: true
        case .ecies, .rsaOAEPAESGCM: false
        }
    }
}
