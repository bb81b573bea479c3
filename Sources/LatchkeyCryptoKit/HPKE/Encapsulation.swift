internal import Foundation
internal import KeyKit

/// A secret that the parties have agreed on, and the bytes by which the recipient finds it (RFC 9180, section 4.1).
struct Encapsulation {
    // Each initializer writes all keys down before it agrees on a secret. A key that does not fit the suite then fails before the
    // owner of a key in the enclave sees a prompt.

    let secret: SymmetricKey
    let encapsulatedKey: Data

    /// Agrees on a secret with a recipient.
    init<Key: HPKEDiffieHellmanPublicKey>(to recipient: Key, _ kem: HPKE.KEM) throws {
        let ephemeral = Key.EphemeralPrivateKey()
        let (key, own) = try (
            ephemeral.publicKey.hpkeRepresentation(kem: kem), recipient.hpkeRepresentation(kem: kem)
        )
        let agreed = SymmetricKey(joining: try ephemeral.sharedSecretFromKeyAgreement(with: recipient))
        self.init(try Self.derive(agreed, [key, own], kem), key)
    }

    /// Agrees on a secret with a recipient, who then knows that it comes from the owner of `sender`.
    init<Key: HPKEDiffieHellmanPrivateKey>(to recipient: Key.PublicKey, from sender: Key, _ kem: HPKE.KEM) throws {
        let ephemeral = Key.PublicKey.EphemeralPrivateKey()
        let key = try ephemeral.publicKey.hpkeRepresentation(kem: kem)
        let parts = try [
            key, recipient.hpkeRepresentation(kem: kem), sender.publicKey.hpkeRepresentation(kem: kem),
        ]
        let agreed = SymmetricKey(
            joining: try ephemeral.sharedSecretFromKeyAgreement(with: recipient),
            try sender.sharedSecretFromKeyAgreement(with: recipient))
        self.init(try Self.derive(agreed, parts, kem), key)
    }

    /// Finds the secret that a sender has agreed on, with `sender` as the sender's key if they have shown who they are.
    init<Key: HPKEDiffieHellmanPrivateKey>(
        _ encapsulatedKey: Data, to recipient: Key, from sender: Key.PublicKey?, _ kem: HPKE.KEM
    ) throws {
        let own = try recipient.publicKey.hpkeRepresentation(kem: kem)
        let ephemeral = try Key.PublicKey(encapsulatedKey, kem: kem)
        let parts = [encapsulatedKey, own] + (try sender.map { [try $0.hpkeRepresentation(kem: kem)] } ?? [])
        var agreed = SymmetricKey(joining: try recipient.sharedSecretFromKeyAgreement(with: ephemeral))
        if let sender {
            agreed = SymmetricKey(joining: agreed, try recipient.sharedSecretFromKeyAgreement(with: sender))
        }
        self.init(try Self.derive(agreed, parts, kem), encapsulatedKey)
    }

    private init(_ secret: SymmetricKey, _ encapsulatedKey: Data) {
        self.secret = secret
        self.encapsulatedKey = encapsulatedKey
    }

    private static func derive(_ agreed: SymmetricKey, _ keys: [Data], _ kem: HPKE.KEM) throws -> SymmetricKey {
        let derivation = LabeledDerivation(hash: kem.hash, suite: Array("KEM".utf8) + kem.number.octets)
        return try derivation.expand(
            "shared_secret", derivation.extract("eae_prk", agreed), info: keys.flatMap { Array($0) },
            kem.hash.digestCount)
    }
}
