// The attributes of all items, and of passwords (semantics 2.2 and 2.3).

public import Foundation
internal import SecretVault

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
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = AttributeName.creationDate.constant
/// The date of the last change: a `Date`.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = AttributeName.modificationDate.constant
/// The name that people see: a string.
public nonisolated(unsafe) let kSecAttrLabel: CFString = AttributeName.label.constant
/// The token that holds the item: a string.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = AttributeName.tokenID.constant
/// The sync view of the item: a string. Items that differ only in it are different items.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = AttributeName.syncViewHint.constant
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
public nonisolated(unsafe) let kSecAttrAccount: CFString = AttributeName.account.constant
/// The service. Generic passwords only.
public nonisolated(unsafe) let kSecAttrService: CFString = AttributeName.service.constant
/// Data of the app's own. Generic passwords only. Items that differ only in it are the same item.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = AttributeName.generic.constant
/// The kind of item, for people to read: a string.
public nonisolated(unsafe) let kSecAttrDescription: CFString = AttributeName.description.constant
/// A comment, for people to read: a string.
public nonisolated(unsafe) let kSecAttrComment: CFString = AttributeName.comment.constant
/// The creator of the item: four characters as a number (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrCreator: CFString = AttributeName.creator.constant
/// The type of the item: four characters as a number (`FourCharCode`).
public nonisolated(unsafe) let kSecAttrType: CFString = AttributeName.type.constant
/// A Boolean that indicates whether to hide the item from people.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = AttributeName.isInvisible.constant
/// A Boolean that indicates whether there is no password, so that the app has to ask for it each time.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = AttributeName.isNegative.constant
/// The security domain. Internet passwords only.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = AttributeName.securityDomain.constant
/// The server. Internet passwords only.
public nonisolated(unsafe) let kSecAttrServer: CFString = AttributeName.server.constant
/// The protocol: one of `kSecAttrProtocol…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = AttributeName.networkProtocol.constant
/// The authentication type: one of `kSecAttrAuthenticationType…`. Internet passwords only.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = AttributeName.authenticationType.constant
/// The port: a number. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPort: CFString = AttributeName.port.constant
/// The path. Internet passwords only.
public nonisolated(unsafe) let kSecAttrPath: CFString = AttributeName.path.constant

extension AttributeName {
    /// The name as Apple's constant has it.
    var constant: CFString { rawValue as CFString }
}
