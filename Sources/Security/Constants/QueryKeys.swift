// The keys of queries that are no attributes (semantics 2.6 to 2.9).

public import Foundation

// MARK: - What is looked for
/// A policy that certificates have to satisfy. Not implemented.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// A list of items to look in. Taken, and of no effect, as on Apple's data-protection keychain.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// A list of keychains to look in. Taken, and of no effect: there is but one.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// The issuers that certificates have to come from. Not implemented.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// The mail address that a certificate has to be for, if it is for one.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// What the subject of a certificate has to contain. Taken, and of no effect.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// What the subject of a certificate has to start with. macOS only; taken, and of no effect.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// What the subject of a certificate has to end with. macOS only; taken, and of no effect.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// What the subject of a certificate has to be. macOS only; taken, and of no effect.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// The host that an internet password has to be for, be it by a host above it.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Whether small letters are as good as capitals. Taken, and of no effect.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether letters are as good without their marks. macOS only; taken, and of no effect.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether wide letters are as good as narrow ones. macOS only; taken, and of no effect.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether only trusted certificates are looked for: true or false.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The day on which certificates have to be valid: a `Date`.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many results: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// A value of ``kSecMatchLimit``: one result.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// A value of ``kSecMatchLimit``: all results, as a list.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"

// MARK: - What is wanted
/// Whether the secret is wanted.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether the attributes are wanted.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether the object is wanted, for keys, certificates and identities.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether what the item is known by for life is wanted.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"

// MARK: - What is brought
/// The secret.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// The object.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// What the item is known by for life.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: - How it is done
/// A list of items to use. Refused: Apple never implemented it.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain in a file to use. macOS only; refused, as there is none.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// Whether a Mac is to use the keychain that everything else has. Here there is no other.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// What for somebody is asked. Deprecated by Apple: set `localizedReason` on the context.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether nobody may be asked. Deprecated by Apple.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether somebody may be asked.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// They may, which is the default.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// They may not; what would have to ask fails.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// They may not; items that would have to ask are passed over.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` in which somebody proves that they are there.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether the items of all users are meant. tvOS; here there is but one user.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
