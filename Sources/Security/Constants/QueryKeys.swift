// The keys of queries that are no attributes (semantics 2.6 to 2.9).

public import Foundation

// MARK: - What is looked for
/// The match key: policy.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// The match key: item list (parsed but has no effect on the DP keychain).
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// The match key: search list (file keychains).
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// The match key: issuers.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// The match key: email address if present.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// The match key: subject contains.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// The match key: subject starts with (macOS only).
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// The match key: subject ends with (macOS only).
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// The match key: subject whole string (macOS only).
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// The match key: host or subdomain of host (iOS 18 / macOS 15; inet only).
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// The match key: case insensitive.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// The match key: diacritic insensitive (macOS only).
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// The match key: width insensitive (macOS only).
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// The match key: trusted only.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The match key: valid on date.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many results: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// The match key: limit one (value).
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// The match key: limit all (value).
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
/// The use key: item list (deprecated iOS 2-12, not implemented).
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The use key: keychain (macOS only).
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
/// The use key: user independent keychain (tvOS 16).
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
