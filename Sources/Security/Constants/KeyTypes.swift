// Values of the attributes of keys (semantics 2.13). All are texts, also those that look like numbers.

public import Foundation

/// The value: key class public.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// The value: key class private.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// The value: key class symmetric.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// The value: key type RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// The value: key type EC.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// The value: key type ECSEC prime random.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// The value: key type ECSEC prime random PKA.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"
/// The value: key type secure enclave attestation.
public nonisolated(unsafe) let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"
/// The value: key type secure enclave anonymous attestation.
public nonisolated(unsafe) let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"
/// The value: key type ed25519.
public nonisolated(unsafe) let kSecAttrKeyTypeEd25519: CFString = "105"
/// The value: key type X25519.
public nonisolated(unsafe) let kSecAttrKeyTypeX25519: CFString = "106"
/// The value: key type ed448.
public nonisolated(unsafe) let kSecAttrKeyTypeEd448: CFString = "107"
/// The value: key type X448.
public nonisolated(unsafe) let kSecAttrKeyTypeX448: CFString = "108"
/// The value: key type kyber.
public nonisolated(unsafe) let kSecAttrKeyTypeKyber: CFString = "109"
/// The value: key type MLKEM.
public nonisolated(unsafe) let kSecAttrKeyTypeMLKEM: CFString = "110"
/// The value: key type MLDSA.
public nonisolated(unsafe) let kSecAttrKeyTypeMLDSA: CFString = "111"
/// The value: key size kyber768.
public nonisolated(unsafe) let kSecAttrKeySizeKyber768: CFString = "768"
/// The value: key size kyber1024.
public nonisolated(unsafe) let kSecAttrKeySizeKyber1024: CFString = "1024"
/// The value: key size MLKEM768.
public nonisolated(unsafe) let kSecAttrKeySizeMLKEM768: CFString = "768"
/// The value: key size MLKEM1024.
public nonisolated(unsafe) let kSecAttrKeySizeMLKEM1024: CFString = "1024"
/// The value: key size MLDSA65.
public nonisolated(unsafe) let kSecAttrKeySizeMLDSA65: CFString = "65"
/// The value: key size MLDSA87.
public nonisolated(unsafe) let kSecAttrKeySizeMLDSA87: CFString = "87"
/// The value: key type DES (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// The value: key type3 DES (macOS only).
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// The value: key type RC2 (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// The value: key type RC4 (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// The value: key type DSA (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// The value: key type CAST (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// The value: key type ECDSA (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// The value: key type AES (macOS only).
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// The value: PRF hmac alg SHA1 (macOS only).
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// The value: PRF hmac alg SHA224 (macOS only).
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// The value: PRF hmac alg SHA256 (macOS only).
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// The value: PRF hmac alg SHA384 (macOS only).
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// The value: PRF hmac alg SHA512 (macOS only).
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
/// The value: token ID secure enclave.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The value: access group token (predefined access group of token items).
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
