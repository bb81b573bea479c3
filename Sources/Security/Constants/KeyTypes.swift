// Values of the attributes of keys (semantics 2.13). All are strings, including those that look like numbers.

public import Foundation

/// A public key.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// Elliptic curves. This is the former name of ``kSecAttrKeyTypeECSECPrimeRandom``.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// Elliptic curves over prime fields, such as P-256.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// Elliptic curves over prime fields, in the public-key accelerator.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"
/// A key with which a Secure Enclave attests.
public nonisolated(unsafe) let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"
/// A key with which a Secure Enclave attests anonymously.
public nonisolated(unsafe) let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"
/// Ed25519.
public nonisolated(unsafe) let kSecAttrKeyTypeEd25519: CFString = "105"
/// X25519.
public nonisolated(unsafe) let kSecAttrKeyTypeX25519: CFString = "106"
/// Ed448.
public nonisolated(unsafe) let kSecAttrKeyTypeEd448: CFString = "107"
/// X448.
public nonisolated(unsafe) let kSecAttrKeyTypeX448: CFString = "108"
/// Kyber.
public nonisolated(unsafe) let kSecAttrKeyTypeKyber: CFString = "109"
/// ML-KEM.
public nonisolated(unsafe) let kSecAttrKeyTypeMLKEM: CFString = "110"
/// ML-DSA.
public nonisolated(unsafe) let kSecAttrKeyTypeMLDSA: CFString = "111"
/// The size of Kyber-768.
public nonisolated(unsafe) let kSecAttrKeySizeKyber768: CFString = "768"
/// The size of Kyber-1024.
public nonisolated(unsafe) let kSecAttrKeySizeKyber1024: CFString = "1024"
/// The size of ML-KEM-768.
public nonisolated(unsafe) let kSecAttrKeySizeMLKEM768: CFString = "768"
/// The size of ML-KEM-1024.
public nonisolated(unsafe) let kSecAttrKeySizeMLKEM1024: CFString = "1024"
/// The size of ML-DSA-65.
public nonisolated(unsafe) let kSecAttrKeySizeMLDSA65: CFString = "65"
/// The size of ML-DSA-87.
public nonisolated(unsafe) let kSecAttrKeySizeMLDSA87: CFString = "87"
/// DES. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES. macOS only.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// RC2. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// RC4. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// DSA. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// CAST. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// Elliptic curves. This is their name on macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// AES. macOS only.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// HMAC with SHA-1. macOS only.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224. macOS only.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256. macOS only.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384. macOS only.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512. macOS only.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// The value of ``kSecAttrTokenID`` for the Secure Enclave.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The access group of items on tokens. Only a query that names it reads it, and no call writes to it.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
