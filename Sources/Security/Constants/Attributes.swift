// Attributes of items, and of passwords (semantics 2.2 and 2.3).

// MARK: - What every item has
/// When the item may be opened: one of the values of `kSecAttrAccessible…`.
public let kSecAttrAccessible: CFString = "pdmn"
/// What the item demands: a ``SecAccessControl``.
public let kSecAttrAccessControl: CFString = "accc"
/// The access group that the item belongs to.
public let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item asks to travel through iCloud Keychain.
public let kSecAttrSynchronizable: CFString = "sync"
/// A value of ``kSecAttrSynchronizable``: items that travel, and items that do not. For queries alone.
public let kSecAttrSynchronizableAny: CFString = "syna"
/// The attribute: creation date (Date).
public let kSecAttrCreationDate: CFString = "cdat"
/// The attribute: modification date (Date).
public let kSecAttrModificationDate: CFString = "mdat"
/// The attribute: label (String).
public let kSecAttrLabel: CFString = "labl"
/// The attribute: token ID (String).
public let kSecAttrTokenID: CFString = "tkid"
/// The attribute: persistent reference.
public let kSecAttrPersistentReference: CFString = "persistref"
/// The attribute: persistant reference (misspelt twin, same string).
public let kSecAttrPersistantReference: CFString = "persistref"
/// The attribute: sharing group none (empty string).
public let kSecAttrSharingGroupNone: CFString = ""
/// The attribute: access (macOS only SecAccess ACL of file keychain).
public let kSecAttrAccess: CFString = "acls"
/// The attribute: derive sync ID from item attributes.
public let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The attribute: PCS plaintext service identifier.
public let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The attribute: PCS plaintext public key.
public let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The attribute: PCS plaintext public identity.
public let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

// MARK: - What passwords have
/// The account.
public let kSecAttrAccount: CFString = "acct"
/// The service. Generic passwords only.
public let kSecAttrService: CFString = "svce"
/// Bytes of the app's own. Generic passwords only; tells no two items apart.
public let kSecAttrGeneric: CFString = "gena"
/// The attribute: description.
public let kSecAttrDescription: CFString = "desc"
/// The attribute: comment.
public let kSecAttrComment: CFString = "icmt"
/// The attribute: creator (number (FourCharCode)).
public let kSecAttrCreator: CFString = "crtr"
/// The attribute: type (number (FourCharCode)).
public let kSecAttrType: CFString = "type"
/// The attribute: is invisible (Bool).
public let kSecAttrIsInvisible: CFString = "invi"
/// The attribute: is negative (Bool).
public let kSecAttrIsNegative: CFString = "nega"
/// The attribute: security domain (inet only).
public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The attribute: server (inet only).
public let kSecAttrServer: CFString = "srvr"
/// The attribute: protocol (inet only).
public let kSecAttrProtocol: CFString = "ptcl"
/// The attribute: authentication type (inet only).
public let kSecAttrAuthenticationType: CFString = "atyp"
/// The attribute: port (inet only, number).
public let kSecAttrPort: CFString = "port"
/// The attribute: path (inet only).
public let kSecAttrPath: CFString = "path"
