// The attributes of certificates and keys (semantics 2.4 and 2.5).

public import Foundation

// MARK: - Certificates
/// The type of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// The subject of a certificate: data.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// The issuer of a certificate: data.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The serial number of a certificate: data.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The identifier of a certificate's key: data.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of a certificate's key: data.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"

// MARK: - Keys
/// The class of a key, public, private or symmetric: one of `kSecAttrKeyClass…`.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// The label that finds a key: data, usually the hash of its public key.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// The app's own name for a key: data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// The type of a key: one of `kSecAttrKeyType…`.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// The creator of a key: a number.
public nonisolated(unsafe) let kSecAttrKeyCreator: CFString = "crtr"
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The date from which a key is valid: a `Date`.
public nonisolated(unsafe) let kSecAttrStartDate: CFString = "sdat"
/// The date until which a key is valid: a `Date`.
public nonisolated(unsafe) let kSecAttrEndDate: CFString = "edat"
/// A Boolean that indicates whether a key is stored.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// A Boolean that indicates whether a key is private.
public nonisolated(unsafe) let kSecAttrIsPrivate: CFString = "priv"
/// A Boolean that indicates whether a key can be changed.
public nonisolated(unsafe) let kSecAttrIsModifiable: CFString = "modi"
/// A Boolean that indicates whether a key can leave the keychain only when wrapped.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// A Boolean that indicates whether a key has always been sensitive.
public nonisolated(unsafe) let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// A Boolean that indicates whether a key can leave the keychain.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// A Boolean that indicates whether a key could never leave the keychain.
public nonisolated(unsafe) let kSecAttrWasNeverExtractable: CFString = "next"
/// A Boolean that indicates whether a key can encrypt.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// A Boolean that indicates whether a key can decrypt.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// A Boolean that indicates whether other keys can be derived from a key.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// A Boolean that indicates whether a key can sign.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// A Boolean that indicates whether a key can verify signatures.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// A Boolean that indicates whether a key can make signatures that contain the signed data.
public nonisolated(unsafe) let kSecAttrCanSignRecover: CFString = "snrc"
/// A Boolean that indicates whether a key can recover the signed data from such signatures.
public nonisolated(unsafe) let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// A Boolean that indicates whether a key can wrap other keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// A Boolean that indicates whether a key can unwrap other keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// The attributes of the private key only, when a key pair is created.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of the public key only, when a key pair is created.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// The attributes of a symmetric key, when one is created. macOS only.
public nonisolated(unsafe) let kSecSymmetricKeyAttrs: CFString = "symmetric"
/// The pseudorandom function to derive a key with: one of `kSecAttrPRFHmacAlg…`. macOS only.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The salt to derive a key with. macOS only.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The number of rounds to derive a key with. macOS only.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// A Boolean that indicates whether a key may be used for Apple Pay.
public nonisolated(unsafe) let kSecKeyApplePayEnabled: CFString = "applepay"
/// A Boolean that indicates whether a key is bound to the operating system.
public nonisolated(unsafe) let kSecKeyOSBound: CFString = "osbound"
/// A Boolean that indicates whether a key is bound to hashes that are sealed.
public nonisolated(unsafe) let kSecKeySealedHashesBound: CFString = "sealedhashesbound"
