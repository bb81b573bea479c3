// The keys of queries that are not attributes (semantics 2.6 to 2.9).

public import Foundation

// MARK: - Conditions
/// A ``SecPolicy`` that certificates have to satisfy.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// An array of items to search. Accepted without effect, as on Apple's data-protection keychain.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// An array of keychains to search. Accepted without effect: there is only one.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// An array of names in DER, one of which has to stand above a certificate: as its issuer, or as the issuer of a
/// certificate of the keychain that stands above it.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// The mail address that a certificate has to contain if it contains any.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A text that the subject of a certificate has to contain. Accepted without effect.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// A text that the subject of a certificate has to start with. macOS only; accepted without effect.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// A text that the subject of a certificate has to end with. macOS only; accepted without effect.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// The text that the subject of a certificate has to be. macOS only; accepted without effect.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// A host. It matches internet passwords whose server is this host or a subdomain of it.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// A Boolean that indicates whether matching ignores case. Accepted without effect.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// A Boolean that indicates whether matching ignores diacritics. macOS only; accepted without effect.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// A Boolean that indicates whether matching ignores the width of characters. macOS only; accepted without effect.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// A Boolean that indicates whether to find only trusted certificates.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The date on which certificates have to be valid: a `Date`.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// The number of results: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// The value of ``kSecMatchLimit`` for one result.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// The value of ``kSecMatchLimit`` for all results, as an array.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"

// MARK: - Results
/// A Boolean that indicates whether to return the secret.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// A Boolean that indicates whether to return the attributes.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// A Boolean that indicates whether to return the object of a key, certificate or identity.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// A Boolean that indicates whether to return the persistent reference.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"

// MARK: - Values
/// The secret.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// The object.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// The persistent reference.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: - Options
/// An array of items to use. Refused: Apple never implemented it.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain file to use. macOS only; refused, as there is none.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// A Boolean that selects the data-protection keychain on a Mac. Here there is no other.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// The reason to show in the prompt. Deprecated by Apple: set `localizedReason` on the context.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// A Boolean that indicates whether prompts are forbidden. Deprecated by Apple.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// The handling of items that would need a prompt.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The value of ``kSecUseAuthenticationUI`` that allows prompts. It is the default.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// The value of ``kSecUseAuthenticationUI`` with which a call that would need a prompt fails.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// The value of ``kSecUseAuthenticationUI`` with which a search skips items that would need a prompt.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` in which the user authenticates.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// A Boolean that selects the items of all users. tvOS only; here there is only one user.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
