// The keys of queries that are no attributes (semantics 2.6 to 2.9).

// MARK: - What is looked for
/// A policy that certificates have to satisfy. Not implemented.
public let kSecMatchPolicy: CFString = "m_Policy"
/// A list of items to look in. Taken, and of no effect, as on Apple's data-protection keychain.
public let kSecMatchItemList: CFString = "m_ItemList"
/// A list of keychains to look in. Taken, and of no effect: there is but one.
public let kSecMatchSearchList: CFString = "m_SearchList"
/// The issuers that certificates have to come from. Not implemented.
public let kSecMatchIssuers: CFString = "m_Issuers"
/// The mail address that a certificate has to be for, if it is for one.
public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// What the subject of a certificate has to contain. Taken, and of no effect.
public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// What the subject of a certificate has to start with. macOS only; taken, and of no effect.
public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// What the subject of a certificate has to end with. macOS only; taken, and of no effect.
public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// What the subject of a certificate has to be. macOS only; taken, and of no effect.
public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// The host that an internet password has to be for, be it by a host above it.
public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Whether small letters are as good as capitals. Taken, and of no effect.
public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether letters are as good without their marks. macOS only; taken, and of no effect.
public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether wide letters are as good as narrow ones. macOS only; taken, and of no effect.
public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether only trusted certificates are looked for: true or false.
public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The day on which certificates have to be valid: a `Date`.
public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many results: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public let kSecMatchLimit: CFString = "m_Limit"
/// A value of ``kSecMatchLimit``: one result.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// A value of ``kSecMatchLimit``: all results, as a list.
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
/// A list of items to use. Refused: Apple never implemented it.
public let kSecUseItemList: CFString = "u_ItemList"
/// The keychain in a file to use. macOS only; refused, as there is none.
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
/// Whether the items of all users are meant. tvOS; here there is but one user.
public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"
