// Attributes of certificates and keys (semantics 2.4 and 2.5).

// MARK: - What certificates have
/// The attribute: certificate type.
public let kSecAttrCertificateType: CFString = "ctyp"
/// The attribute: certificate encoding.
public let kSecAttrCertificateEncoding: CFString = "cenc"
/// The attribute: subject.
public let kSecAttrSubject: CFString = "subj"
/// The attribute: issuer.
public let kSecAttrIssuer: CFString = "issr"
/// The attribute: serial number.
public let kSecAttrSerialNumber: CFString = "slnr"
/// The attribute: subject key ID.
public let kSecAttrSubjectKeyID: CFString = "skid"
/// The attribute: public key hash.
public let kSecAttrPublicKeyHash: CFString = "pkhh"

// MARK: - What keys have
/// The attribute: key class.
public let kSecAttrKeyClass: CFString = "kcls"
/// The attribute: application label (Data: public-key hash).
public let kSecAttrApplicationLabel: CFString = "klbl"
/// The attribute: application tag (Data).
public let kSecAttrApplicationTag: CFString = "atag"
/// The attribute: key type.
public let kSecAttrKeyType: CFString = "type"
/// The attribute: key creator.
public let kSecAttrKeyCreator: CFString = "crtr"
/// The attribute: key size in bits.
public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The attribute: effective key size.
public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// The attribute: start date.
public let kSecAttrStartDate: CFString = "sdat"
/// The attribute: end date.
public let kSecAttrEndDate: CFString = "edat"
/// The attribute: is permanent.
public let kSecAttrIsPermanent: CFString = "perm"
/// The attribute: is private.
public let kSecAttrIsPrivate: CFString = "priv"
/// The attribute: is modifiable.
public let kSecAttrIsModifiable: CFString = "modi"
/// The attribute: is sensitive.
public let kSecAttrIsSensitive: CFString = "sens"
/// The attribute: was always sensitive.
public let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// The attribute: is extractable.
public let kSecAttrIsExtractable: CFString = "extr"
/// The attribute: was never extractable.
public let kSecAttrWasNeverExtractable: CFString = "next"
/// The attribute: can encrypt.
public let kSecAttrCanEncrypt: CFString = "encr"
/// The attribute: can decrypt.
public let kSecAttrCanDecrypt: CFString = "decr"
/// The attribute: can derive.
public let kSecAttrCanDerive: CFString = "drve"
/// The attribute: can sign.
public let kSecAttrCanSign: CFString = "sign"
/// The attribute: can verify.
public let kSecAttrCanVerify: CFString = "vrfy"
/// The attribute: can sign recover.
public let kSecAttrCanSignRecover: CFString = "snrc"
/// The attribute: can verify recover.
public let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// The attribute: can wrap.
public let kSecAttrCanWrap: CFString = "wrap"
/// The attribute: can unwrap.
public let kSecAttrCanUnwrap: CFString = "unwp"
/// The attribute: sec private key attrs.
public let kSecPrivateKeyAttrs: CFString = "private"
/// The attribute: sec public key attrs.
public let kSecPublicKeyAttrs: CFString = "public"
/// The attribute: sec symmetric key attrs (macOS only).
public let kSecSymmetricKeyAttrs: CFString = "symmetric"
/// The attribute: PRF (macOS only).
public let kSecAttrPRF: CFString = "prf"
/// The attribute: salt (macOS only).
public let kSecAttrSalt: CFString = "salt"
/// The attribute: rounds (macOS only).
public let kSecAttrRounds: CFString = "rounds"
/// The attribute: sec key apple pay enabled.
public let kSecKeyApplePayEnabled: CFString = "applepay"
/// The attribute: sec key OS bound.
public let kSecKeyOSBound: CFString = "osbound"
/// The attribute: sec key sealed hashes bound.
public let kSecKeySealedHashesBound: CFString = "sealedhashesbound"
