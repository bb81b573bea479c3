internal import Foundation
internal import KeyKit
internal import SodiumKit

/// The parts of a sealed box: nonce, ciphertext and tag.
struct SealedParts: Sendable {
    /// The length of a nonce that a box in one piece begins with.
    static let nonceCount = 12
    static let tagCount = AuthenticatedCipher.tagCount

    let nonce: [UInt8]
    let ciphertext: Data
    let tag: Data

    /// Takes the parts.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if the tag has a wrong length.
    init(nonce: [UInt8], ciphertext: some DataProtocol, tag: some DataProtocol) throws {
        guard tag.count == Self.tagCount else { throw CryptoKitError.incorrectParameterSize }
        self.nonce = nonce
        self.ciphertext = Data(ciphertext)
        self.tag = Data(tag)
    }

    /// Takes a box apart that is in one piece.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if it is too short.
    init(combined: some DataProtocol) throws {
        let combined = Data(combined)
        guard combined.count >= Self.nonceCount + Self.tagCount else { throw CryptoKitError.incorrectParameterSize }
        nonce = Array(combined.prefix(Self.nonceCount))
        ciphertext = Data(combined.dropFirst(Self.nonceCount).dropLast(Self.tagCount))
        tag = Data(combined.suffix(Self.tagCount))
    }

    /// Seals a message.
    init(
        _ cipher: AuthenticatedCipher, _ message: some DataProtocol, _ key: SymmetricKey, nonce: [UInt8],
        _ additional: some DataProtocol
    ) throws {
        try key.require(for: cipher)
        let box = try message.withSpan { message in
            try additional.withSpan { additional in
                try key.withUnsafeBytes { key in
                    try onKeys(cipher.seal(message, key: key.bytes, nonce: nonce.span.bytes, additional: additional))
                }
            }
        }
        self.nonce = nonce
        ciphertext = Data(box.dropLast(Self.tagCount))
        tag = Data(box.suffix(Self.tagCount))
    }

    /// The box in one piece.
    var combined: Data { nonce + ciphertext + tag }

    /// Returns the message.
    ///
    /// - Throws: ``CryptoKitError/authenticationFailure`` if the tag is wrong.
    func open(_ cipher: AuthenticatedCipher, _ key: SymmetricKey, _ additional: some DataProtocol) throws -> Data {
        try key.require(for: cipher)
        return try ciphertext.withUnsafeBytes { ciphertext in
            try tag.withUnsafeBytes { tag in
                try additional.withSpan { additional in
                    try key.withUnsafeBytes { key in
                        Data(
                            revealing: try onKeys(
                                cipher.open(
                                    ciphertext.bytes, tag: tag.bytes, key: key.bytes, nonce: nonce.span.bytes,
                                    additional: additional)))
                    }
                }
            }
        }
    }

    static func randomNonce() -> [UInt8] {
        guarding { () throws(SodiumError) in try Sodium.start() }
        return Sodium.randomBytes(nonceCount)
    }
}

extension SymmetricKey {
    /// Throws ``CryptoKitError/incorrectKeySize`` if the cipher has no keys of this size.
    fileprivate func require(for cipher: AuthenticatedCipher) throws {
        guard cipher.keyCounts.contains(secret.bytes.count) else { throw CryptoKitError.incorrectKeySize }
    }
}
