// The attributes of all items, and of passwords (semantics 2.2 and 2.3).

public import Foundation

// MARK: - All items
/// The accessibility class: one of the values of `kSecAttrAccessible…`.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The access policy: a ``SecAccessControl``.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group that the item belongs to.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// A Boolean that indicates whether the item asks to sync through iCloud Keychain.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// A value of ``kSecAttrSynchronizable`` that matches items that sync and items that do not. Only for queries.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// The date when the item was stored: a `Date`.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// The date of the last change: a `Date`.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// The name that people see: a string.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// The token that holds the item: a string.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The sync view of the item: a string. Items that differ only in it are different items.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// The persistent reference. Results may contain it; a query cannot search for it.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
/// The former, misspelled name of ``kSecAttrPersistentReference``.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// The value for no sharing group: the empty string.
public nonisolated(unsafe) let kSecAttrSharingGroupNone: CFString = ""
/// The access list of an item in a keychain file. macOS only; not for this keychain.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// A Boolean that indicates whether the sync identifier follows from the attributes. No class has this attribute here.
public nonisolated(unsafe) let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The service of a protected cloud item. No class has this attribute here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The public key of a protected cloud item. No class has this attribute here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The public identity of a protected cloud item. No class has this attribute here.
public nonisolated(unsafe) let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

// MARK: - Passwords
/// The account.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service. Generic passwords only.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Data of the app's own. Generic passwords only. Items that differ only in it are the same item.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The kind of item, for people to read: a string.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A comment, for people to read: a string.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The creator of the item: four characters as a number (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type of the item: four characters as a number (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// A Boolean that indicates whether to hide the item from people.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// A Boolean that indicates whether there is no password, so that the app has to ask for it each time.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The security domain. Internet passwords only.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The server. Internet passwords only.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol: one of `kSecAttrProtocol…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// The authentication type: one of `kSecAttrAuthenticationType…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The port: a number. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
