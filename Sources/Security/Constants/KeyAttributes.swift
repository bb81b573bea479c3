// Attributes of certificates and keys (semantics 2.4 and 2.5).

public import Foundation

// MARK: - What certificates have
/// The attribute: certificate type.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The attribute: certificate encoding.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// The attribute: subject.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// The attribute: issuer.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The attribute: serial number.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The attribute: subject key ID.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The attribute: public key hash.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"

// MARK: - What keys have
/// The attribute: key class.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// The attribute: application label (Data: public-key hash).
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// The attribute: application tag (Data).
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// The attribute: key type.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// The attribute: key creator.
public nonisolated(unsafe) let kSecAttrKeyCreator: CFString = "crtr"
/// The attribute: key size in bits.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The attribute: effective key size.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The attribute: start date.
public nonisolated(unsafe) let kSecAttrStartDate: CFString = "sdat"
/// The attribute: end date.
public nonisolated(unsafe) let kSecAttrEndDate: CFString = "edat"
/// The attribute: is permanent.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// The attribute: is private.
public nonisolated(unsafe) let kSecAttrIsPrivate: CFString = "priv"
/// The attribute: is modifiable.
public nonisolated(unsafe) let kSecAttrIsModifiable: CFString = "modi"
/// The attribute: is sensitive.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// The attribute: was always sensitive.
public nonisolated(unsafe) let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// The attribute: is extractable.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// The attribute: was never extractable.
public nonisolated(unsafe) let kSecAttrWasNeverExtractable: CFString = "next"
/// The attribute: can encrypt.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// The attribute: can decrypt.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// The attribute: can derive.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// The attribute: can sign.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// The attribute: can verify.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// The attribute: can sign recover.
public nonisolated(unsafe) let kSecAttrCanSignRecover: CFString = "snrc"
/// The attribute: can verify recover.
public nonisolated(unsafe) let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// The attribute: can wrap.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// The attribute: can unwrap.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// The attribute: sec private key attrs.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attribute: sec public key attrs.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
/// The attribute: sec symmetric key attrs (macOS only).
public nonisolated(unsafe) let kSecSymmetricKeyAttrs: CFString = "symmetric"
/// The attribute: PRF (macOS only).
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The attribute: salt (macOS only).
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The attribute: rounds (macOS only).
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// The attribute: sec key apple pay enabled.
public nonisolated(unsafe) let kSecKeyApplePayEnabled: CFString = "applepay"
/// The attribute: sec key OS bound.
public nonisolated(unsafe) let kSecKeyOSBound: CFString = "osbound"
/// The attribute: sec key sealed hashes bound.
public nonisolated(unsafe) let kSecKeySealedHashesBound: CFString = "sealedhashesbound"
