// The keys of queries that are no attributes (semantics 2.6 to 2.9).

// MARK: - What is looked for
/// The match key: policy.
public let kSecMatchPolicy: CFString = "m_Policy"
/// The match key: item list (parsed but has no effect on the DP keychain).
public let kSecMatchItemList: CFString = "m_ItemList"
/// The match key: search list (file keychains).
public let kSecMatchSearchList: CFString = "m_SearchList"
/// The match key: issuers.
public let kSecMatchIssuers: CFString = "m_Issuers"
/// The match key: email address if present.
public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// The match key: subject contains.
public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// The match key: subject starts with (macOS only).
public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// The match key: subject ends with (macOS only).
public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// The match key: subject whole string (macOS only).
public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// The match key: host or subdomain of host (iOS 18 / macOS 15; inet only).
public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// The match key: case insensitive.
public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// The match key: diacritic insensitive (macOS only).
public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// The match key: width insensitive (macOS only).
public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// The match key: trusted only.
public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The match key: valid on date.
public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many results: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public let kSecMatchLimit: CFString = "m_Limit"
/// The match key: limit one (value).
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// The match key: limit all (value).
public let kSecMatchLimitAll: CFString = "m_LimitAll"

// MARK: - What is wanted
/// Whether the secret is wanted.
public let kSecReturnData: CFString = "r_Data"
/// Whether the attributes are wanted.
public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether the object is wanted, for keys, certificates and identities.
public let kSecReturnRef: CFString = "r_Ref"
/// Whether what the item is known by for life is wanted.
public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

// MARK: - What is brought
/// The secret.
public let kSecValueData: CFString = "v_Data"
/// The object.
public let kSecValueRef: CFString = "v_Ref"
/// What the item is known by for life.
public let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: - How it is done
/// The use key: item list (deprecated iOS 2-12, not implemented).
public let kSecUseItemList: CFString = "u_ItemList"
/// The use key: keychain (macOS only).
public let kSecUseKeychain: CFString = "u_Keychain"
/// Whether a Mac is to use the keychain that everything else has. Here there is no other.
public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// What for somebody is asked. Deprecated by Apple: set `localizedReason` on the context.
public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether nobody may be asked. Deprecated by Apple.
public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether somebody may be asked.
public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// They may, which is the default.
public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// They may not; what would have to ask fails.
public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// They may not; items that would have to ask are passed over.
public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` in which somebody proves that they are there.
public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// The use key: user independent keychain (tvOS 16).
public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
