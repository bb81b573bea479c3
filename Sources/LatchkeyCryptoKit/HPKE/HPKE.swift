// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeyKit

/// Hybrid public key encryption (RFC 9180): messages that only the owner of a private key reads.
///
///     let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
///     var sender = try HPKE.Sender(recipientKey: publicKey, ciphersuite: suite, info: purpose)
///     let ciphertext = try sender.seal(message)
///
///     // The owner of the private key gets the ciphertext and `sender.encapsulatedKey`.
///     var recipient = try HPKE.Recipient(
///         privateKey: privateKey, ciphersuite: suite, info: purpose, encapsulatedKey: sender.encapsulatedKey)
///     let opened = try recipient.open(ciphertext)
public enum HPKE: Sendable {
    /// The ways to agree on a secret with the owner of a key.
    public enum KEM: CaseIterable, Hashable, Sendable {
        /// Agreement on P-256, with HKDF and SHA-256.
        case P256_HKDF_SHA256
        /// Agreement on P-384, with HKDF and SHA-384.
        case P384_HKDF_SHA384
        /// Agreement on P-521, with HKDF and SHA-512.
        case P521_HKDF_SHA512
        /// Agreement with X25519, with HKDF and SHA-256.
        case Curve25519_HKDF_SHA256

        var number: UInt16 {
            switch self {
            case .P256_HKDF_SHA256: 0x0010
            case .P384_HKDF_SHA384: 0x0011
            case .P521_HKDF_SHA512: 0x0012
            case .Curve25519_HKDF_SHA256: 0x0020
            }
        }

        var hash: HashAlgorithm {
            switch self {
            case .P256_HKDF_SHA256, .Curve25519_HKDF_SHA256: .sha256
            case .P384_HKDF_SHA384: .sha384
            case .P521_HKDF_SHA512: .sha512
            }
        }
    }

    /// The ways to derive keys from the secret.
    public enum KDF: CaseIterable, Hashable, Sendable {
        /// HKDF with SHA-256.
        case HKDF_SHA256
        /// HKDF with SHA-384.
        case HKDF_SHA384
        /// HKDF with SHA-512.
        case HKDF_SHA512

        var number: UInt16 {
            switch self {
            case .HKDF_SHA256: 1
            case .HKDF_SHA384: 2
            case .HKDF_SHA512: 3
            }
        }

        var hash: HashAlgorithm {
            switch self {
            case .HKDF_SHA256: .sha256
            case .HKDF_SHA384: .sha384
            case .HKDF_SHA512: .sha512
            }
        }
    }

    /// The ciphers of the messages.
    public enum AEAD: CaseIterable, Hashable, Sendable {
        /// AES-GCM with a key of 128 bits.
        case AES_GCM_128
        /// AES-GCM with a key of 256 bits.
        case AES_GCM_256
        /// ChaCha20-Poly1305.
        case chaChaPoly
        /// No cipher: the parties only export secrets.
        case exportOnly

        var number: UInt16 {
            switch self {
            case .AES_GCM_128: 1
            case .AES_GCM_256: 2
            case .chaChaPoly: 3
            case .exportOnly: 0xFFFF
            }
        }

        /// The cipher and the number of bytes in its key; nil if there is none.
        var cipher: (AuthenticatedCipher, keyCount: Int)? {
            switch self {
            case .AES_GCM_128: (.aesGCM, 16)
            case .AES_GCM_256: (.aesGCM, 32)
            case .chaChaPoly: (.chaCha20Poly1305, 32)
            case .exportOnly: nil
            }
        }
    }

    /// The algorithms that both parties use.
    public struct Ciphersuite: Hashable, Sendable {
        /// P-256, SHA-256 and AES-GCM with 256 bits.
        public static let P256_SHA256_AES_GCM_256 = Self(
            kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
        /// P-384, SHA-384 and AES-GCM with 256 bits.
        public static let P384_SHA384_AES_GCM_256 = Self(
            kem: .P384_HKDF_SHA384, kdf: .HKDF_SHA384, aead: .AES_GCM_256)
        /// P-521, SHA-512 and AES-GCM with 256 bits.
        public static let P521_SHA512_AES_GCM_256 = Self(
            kem: .P521_HKDF_SHA512, kdf: .HKDF_SHA512, aead: .AES_GCM_256)
        /// X25519, SHA-256 and ChaCha20-Poly1305.
        public static let Curve25519_SHA256_ChachaPoly = Self(
            kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .chaChaPoly)

        /// The way to agree on a secret.
        public let kem: KEM
        /// The way to derive keys.
        public let kdf: KDF
        /// The cipher.
        public let aead: AEAD

        /// Creates a suite of any algorithms.
        public init(kem: KEM, kdf: KDF, aead: AEAD) {
            self.kem = kem
            self.kdf = kdf
            self.aead = aead
        }
    }

    /// An error of these messages.
    public enum Errors: Error, Hashable, Sendable {
        /// The parameters do not fit together.
        case inconsistentParameters
        /// The suite is for keys of another type.
        case inconsistentCiphersuiteAndKey
        /// The suite has no cipher.
        case exportOnlyMode
        /// Only one of the shared key and its identifier was given.
        case inconsistentPSKInputs
        /// The mode needs a shared key.
        case expectedPSK
        /// The mode has no shared key.
        case unexpectedPSK
        /// Too many messages were sealed or opened.
        case outOfRangeSequenceNumber
        /// The ciphertext is shorter than a tag.
        case ciphertextTooShort
    }
}
