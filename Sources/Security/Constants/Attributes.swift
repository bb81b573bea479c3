// Attributes of items, and of passwords (semantics 2.2 and 2.3).

public import Foundation

// MARK: - What every item has
/// When the item may be opened: one of the values of `kSecAttrAccessible…`.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// What the item demands: a ``SecAccessControl``.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group that the item belongs to.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// Whether the item asks to travel through iCloud Keychain.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// A value of ``kSecAttrSynchronizable``: items that travel, and items that do not. For queries alone.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// The attribute: creation date (Date).
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// The attribute: modification date (Date).
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// The attribute: label (String).
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// The attribute: token ID (String).
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The attribute: persistent reference.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// The attribute: persistant reference (misspelt twin, same string).
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// The attribute: sharing group none (empty string).
public nonisolated(unsafe) let kSecAttrSharingGroupNone: CFString = ""
/// The attribute: access (macOS only SecAccess ACL of file keychain).
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// The attribute: derive sync ID from item attributes.
public nonisolated(unsafe) let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The attribute: PCS plaintext service identifier.
public nonisolated(unsafe) let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The attribute: PCS plaintext public key.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The attribute: PCS plaintext public identity.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

// MARK: - What passwords have
/// The account.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service. Generic passwords only.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Bytes of the app's own. Generic passwords only; tells no two items apart.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The attribute: description.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// The attribute: comment.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The attribute: creator (number (FourCharCode)).
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The attribute: type (number (FourCharCode)).
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// The attribute: is invisible (Bool).
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// The attribute: is negative (Bool).
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The attribute: security domain (inet only).
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The attribute: server (inet only).
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The attribute: protocol (inet only).
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// The attribute: authentication type (inet only).
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The attribute: port (inet only, number).
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The attribute: path (inet only).
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
