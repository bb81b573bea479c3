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
/// When the item was stored: a `Date`.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// When the item was changed last: a `Date`.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// What people see the item called: a text.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// The token that the item lies on: a text.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The view of synchronizing that the item belongs to: a text. It tells items apart.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// What the item is known by for life. Found among attributes, and no condition.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// Equal to ``kSecAttrPersistentReference``, under its misspelled name.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// A sharing group that is none: the empty text.
public nonisolated(unsafe) let kSecAttrSharingGroupNone: CFString = ""
/// A list of who may use an item of a keychain in a file. macOS only; not for this keychain.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// True if the identifier of a traveling item follows from its attributes. Not an attribute of any class here.
public nonisolated(unsafe) let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The service of a protected cloud item. Not an attribute of any class here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The public key of a protected cloud item. Not an attribute of any class here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The public identity of a protected cloud item. Not an attribute of any class here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

// MARK: - What passwords have
/// The account.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service. Generic passwords only.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Bytes of the app's own. Generic passwords only; tells no two items apart.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// What kind of item it is, for people to read: a text.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A remark, for people to read: a text.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// Who made the item: a number, as four letters are one (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// What type the item is of: a number, as four letters are one (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Whether the item is not to be shown to people: true or false.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether there is no password, and people are to be asked each time: true or false.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The security domain. Internet passwords only.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The server. Internet passwords only.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol: one of `kSecAttrProtocol…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// The way of logging in: one of `kSecAttrAuthenticationType…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The port: a number. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
