// Attributes of certificates and keys (semantics 2.4 and 2.5).

public import Foundation

// MARK: - What certificates have
/// The type of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// Whom a certificate is about: bytes.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// Who issued a certificate: bytes.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The serial number of a certificate: bytes.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The identifier of the key in a certificate: bytes.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of the key in a certificate: bytes.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"

// MARK: - What keys have
/// Whether a key is public, private or symmetric: one of `kSecAttrKeyClass…`.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// What a key is found by: bytes, usually the hash of its public key.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// What an app calls a key: bytes.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// The type of a key: one of `kSecAttrKeyType…`.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// Who made a key: a number.
public nonisolated(unsafe) let kSecAttrKeyCreator: CFString = "crtr"
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// How many bits of a key count: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// From when on a key is good: a `Date`.
public nonisolated(unsafe) let kSecAttrStartDate: CFString = "sdat"
/// Until when a key is good: a `Date`.
public nonisolated(unsafe) let kSecAttrEndDate: CFString = "edat"
/// Whether a key is stored.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Whether a key is private.
public nonisolated(unsafe) let kSecAttrIsPrivate: CFString = "priv"
/// Whether a key can be changed.
public nonisolated(unsafe) let kSecAttrIsModifiable: CFString = "modi"
/// Whether a key leaves the keychain only wrapped.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Whether a key has left the keychain only wrapped from the start.
public nonisolated(unsafe) let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// Whether a key may leave the keychain.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// Whether a key could leave the keychain at no time.
public nonisolated(unsafe) let kSecAttrWasNeverExtractable: CFString = "next"
/// Whether a key can encrypt.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key can decrypt.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Whether other keys can be derived from a key.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Whether a key can sign.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Whether a key can verify signatures.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key can make signatures that hold what was signed.
public nonisolated(unsafe) let kSecAttrCanSignRecover: CFString = "snrc"
/// Whether a key can take what was signed out of signatures that hold it.
public nonisolated(unsafe) let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// Whether a key can wrap other keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key can unwrap other keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// Attributes for the private key alone, where a pair is made.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// Attributes for the public key alone, where a pair is made.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// Attributes for a symmetric key, where one is made. macOS only.
public nonisolated(unsafe) let kSecSymmetricKeyAttrs: CFString = "symmetric"
/// The pseudo-random function that a key is derived with: one of `kSecAttrPRFHmacAlg…`. macOS only.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The salt that a key is derived with. macOS only.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The number of rounds that a key is derived with. macOS only.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// Whether a key may be used for Apple Pay.
public nonisolated(unsafe) let kSecKeyApplePayEnabled: CFString = "applepay"
/// Whether a key is bound to the operating system.
public nonisolated(unsafe) let kSecKeyOSBound: CFString = "osbound"
/// Whether a key is bound to hashes that are sealed.
public nonisolated(unsafe) let kSecKeySealedHashesBound: CFString = "sealedhashesbound"
