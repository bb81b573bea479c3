// The attributes of certificates and keys (semantics 2.4 and 2.5).

public import Foundation
internal import SecretVault

// MARK: - Certificates
/// The type of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = AttributeName.certificateType.constant
/// The encoding of a certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = AttributeName.certificateEncoding.constant
/// The subject of a certificate: data.
public nonisolated(unsafe) let kSecAttrSubject: CFString = AttributeName.subject.constant
/// The issuer of a certificate: data.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = AttributeName.issuer.constant
/// The serial number of a certificate: data.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = AttributeName.serialNumber.constant
/// The identifier of a certificate's key: data.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = AttributeName.subjectKeyID.constant
/// The hash of a certificate's key: data.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = AttributeName.publicKeyHash.constant

// MARK: - Keys
/// The class of a key, public, private or symmetric: one of `kSecAttrKeyClass…`.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = AttributeName.keyClass.constant
/// The label that finds a key: data, usually the hash of its public key.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = AttributeName.applicationLabel.constant
/// The app's own name for a key: data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = AttributeName.applicationTag.constant
/// The type of a key: one of `kSecAttrKeyType…`.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = AttributeName.type.constant
/// The creator of a key: a number.
public nonisolated(unsafe) let kSecAttrKeyCreator: CFString = AttributeName.creator.constant
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = AttributeName.keySizeInBits.constant
/// The effective size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = AttributeName.effectiveKeySize.constant
/// The date from which a key is valid: a `Date`.
public nonisolated(unsafe) let kSecAttrStartDate: CFString = AttributeName.startDate.constant
/// The date until which a key is valid: a `Date`.
public nonisolated(unsafe) let kSecAttrEndDate: CFString = AttributeName.endDate.constant
/// A Boolean that indicates whether a key is stored.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = AttributeName.isPermanent.constant
/// A Boolean that indicates whether a key is private.
public nonisolated(unsafe) let kSecAttrIsPrivate: CFString = AttributeName.isPrivate.constant
/// A Boolean that indicates whether a key can be changed.
public nonisolated(unsafe) let kSecAttrIsModifiable: CFString = AttributeName.isModifiable.constant
/// A Boolean that indicates whether a key can leave the keychain only when wrapped.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = AttributeName.isSensitive.constant
/// A Boolean that indicates whether a key has always been sensitive.
public nonisolated(unsafe) let kSecAttrWasAlwaysSensitive: CFString = AttributeName.wasAlwaysSensitive.constant
/// A Boolean that indicates whether a key can leave the keychain.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = AttributeName.isExtractable.constant
/// A Boolean that indicates whether a key could never leave the keychain.
public nonisolated(unsafe) let kSecAttrWasNeverExtractable: CFString = AttributeName.wasNeverExtractable.constant
/// A Boolean that indicates whether a key can encrypt.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = AttributeName.canEncrypt.constant
/// A Boolean that indicates whether a key can decrypt.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = AttributeName.canDecrypt.constant
/// A Boolean that indicates whether other keys can be derived from a key.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = AttributeName.canDerive.constant
/// A Boolean that indicates whether a key can sign.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = AttributeName.canSign.constant
/// A Boolean that indicates whether a key can verify signatures.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = AttributeName.canVerify.constant
/// A Boolean that indicates whether a key can make signatures that contain the signed data.
public nonisolated(unsafe) let kSecAttrCanSignRecover: CFString = AttributeName.canSignRecover.constant
/// A Boolean that indicates whether a key can recover the signed data from such signatures.
public nonisolated(unsafe) let kSecAttrCanVerifyRecover: CFString = AttributeName.canVerifyRecover.constant
/// A Boolean that indicates whether a key can wrap other keys.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = AttributeName.canWrap.constant
/// A Boolean that indicates whether a key can unwrap other keys.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = AttributeName.canUnwrap.constant
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
