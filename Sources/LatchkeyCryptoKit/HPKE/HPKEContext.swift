internal import Foundation
internal import KeyKit

/// The keys of one sender and one recipient, and the number of the next message (RFC 9180, section 5).
struct HPKEContext: Sendable {
    /// A key that both parties knew before, with its name.
    struct SharedKey {
        let key: SymmetricKey
        let identifier: Data
    }

    private let derivation: LabeledDerivation
    private let cipher: Cipher?
    private let exporter: SymmetricKey
    private var sequence: UInt64 = 0

    private struct Cipher {
        let algorithm: AuthenticatedCipher
        let key: SymmetricKey
        let nonce: [UInt8]
    }

    private static let nonceCount = SealedParts.nonceCount

    /// Derives the keys.
    init(
        _ secret: SymmetricKey, _ suite: HPKE.Ciphersuite, info: Data, _ sharedKey: SharedKey?, isAuthenticated: Bool
    ) throws {
        let numbers = suite.kem.number.octets + suite.kdf.number.octets + suite.aead.number.octets
        derivation = LabeledDerivation(hash: suite.kdf.hash, suite: Array("HPKE".utf8) + numbers)
        let mode: UInt8 = (sharedKey == nil ? 0 : 1) + (isAuthenticated ? 2 : 0)
        let purpose =
            [mode] + derivation.extract("psk_id_hash", sharedKey?.identifier ?? Data()).octets
            + derivation.extract("info_hash", info).octets
        let root = derivation.extract("secret", sharedKey?.key ?? SymmetricKey(joining: Data()), salt: secret)
        if let (algorithm, keyCount) = suite.aead.cipher {
            cipher = Cipher(
                algorithm: algorithm, key: try derivation.expand("key", root, info: purpose, keyCount),
                nonce: try derivation.expand("base_nonce", root, info: purpose, Self.nonceCount).octets)
        } else {
            cipher = nil
        }
        exporter = try derivation.expand("exp", root, info: purpose, suite.kdf.hash.digestCount)
    }

    /// Encrypts the next message.
    mutating func seal(_ message: some DataProtocol, authenticating additional: some DataProtocol) throws -> Data {
        let (cipher, nonce) = try next()
        let parts = try SealedParts(cipher.algorithm, message, cipher.key, nonce: nonce, additional)
        sequence += 1
        return parts.ciphertext + parts.tag
    }

    /// Decrypts the next message. One that is not authentic does not count.
    mutating func open(_ ciphertext: some DataProtocol, authenticating additional: some DataProtocol) throws -> Data {
        let (cipher, nonce) = try next()
        let ciphertext = Data(ciphertext)
        guard ciphertext.count >= SealedParts.tagCount else { throw HPKE.Errors.ciphertextTooShort }
        let parts = try SealedParts(
            nonce: nonce, ciphertext: ciphertext.dropLast(SealedParts.tagCount),
            tag: ciphertext.suffix(SealedParts.tagCount))
        let message = try parts.open(cipher.algorithm, cipher.key, additional)
        sequence += 1
        return message
    }

    /// Derives a secret for another use.
    func export(_ context: some DataProtocol, _ count: Int) throws -> SymmetricKey {
        try derivation.expand("sec", exporter, info: Array(context), count)
    }

    /// The cipher, and the nonce of the next message.
    private func next() throws -> (Cipher, nonce: [UInt8]) {
        guard let cipher else { throw HPKE.Errors.exportOnlyMode }
        guard sequence < .max else { throw HPKE.Errors.outOfRangeSequenceNumber }
        var nonce = cipher.nonce
        for place in 0..<8 { nonce[Self.nonceCount - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * place)) }
        return (cipher, nonce)
    }
}

extension SymmetricKey {
    /// The bytes of a key that is no secret.
    fileprivate var octets: [UInt8] { withUnsafeBytes { Array($0) } }
}
