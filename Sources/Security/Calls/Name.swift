/// Apple's names as Swift strings. Dictionaries are read by them, and converting a constant at each use would take
/// time.
enum Name {
    static let kSecAttrAccessControl = Security.kSecAttrAccessControl as String
    static let kSecAttrAccessGroup = Security.kSecAttrAccessGroup as String
    static let kSecAttrAccessible = Security.kSecAttrAccessible as String
    static let kSecAttrAccount = Security.kSecAttrAccount as String
    static let kSecAttrApplicationTag = Security.kSecAttrApplicationTag as String
    static let kSecAttrCreationDate = Security.kSecAttrCreationDate as String
    static let kSecAttrKeyClass = Security.kSecAttrKeyClass as String
    static let kSecAttrKeyClassPrivate = Security.kSecAttrKeyClassPrivate as String
    static let kSecAttrKeyType = Security.kSecAttrKeyType as String
    static let kSecAttrLabel = Security.kSecAttrLabel as String
    static let kSecAttrModificationDate = Security.kSecAttrModificationDate as String
    static let kSecAttrPersistentReference = Security.kSecAttrPersistentReference as String
    static let kSecAttrServer = Security.kSecAttrServer as String
    static let kSecAttrService = Security.kSecAttrService as String
    static let kSecAttrSynchronizable = Security.kSecAttrSynchronizable as String
    static let kSecAttrSynchronizableAny = Security.kSecAttrSynchronizableAny as String
    static let kSecAttrTokenID = Security.kSecAttrTokenID as String
    static let kSecClass = Security.kSecClass as String
    static let kSecClassKey = Security.kSecClassKey as String
    static let kSecMatchEmailAddressIfPresent = Security.kSecMatchEmailAddressIfPresent as String
    static let kSecMatchHostOrSubdomainOfHost = Security.kSecMatchHostOrSubdomainOfHost as String
    static let kSecMatchIssuers = Security.kSecMatchIssuers as String
    static let kSecMatchLimit = Security.kSecMatchLimit as String
    static let kSecMatchLimitAll = Security.kSecMatchLimitAll as String
    static let kSecMatchLimitOne = Security.kSecMatchLimitOne as String
    static let kSecMatchPolicy = Security.kSecMatchPolicy as String
    static let kSecMatchTrustedOnly = Security.kSecMatchTrustedOnly as String
    static let kSecMatchValidOnDate = Security.kSecMatchValidOnDate as String
    static let kSecReturnAttributes = Security.kSecReturnAttributes as String
    static let kSecReturnData = Security.kSecReturnData as String
    static let kSecReturnPersistentRef = Security.kSecReturnPersistentRef as String
    static let kSecReturnRef = Security.kSecReturnRef as String
    static let kSecUseAuthenticationContext = Security.kSecUseAuthenticationContext as String
    static let kSecUseAuthenticationUI = Security.kSecUseAuthenticationUI as String
    static let kSecUseAuthenticationUIAllow = Security.kSecUseAuthenticationUIAllow as String
    static let kSecUseAuthenticationUIFail = Security.kSecUseAuthenticationUIFail as String
    static let kSecUseAuthenticationUISkip = Security.kSecUseAuthenticationUISkip as String
    static let kSecUseDataProtectionKeychain = Security.kSecUseDataProtectionKeychain as String
    static let kSecUseNoAuthenticationUI = Security.kSecUseNoAuthenticationUI as String
    static let kSecUseOperationPrompt = Security.kSecUseOperationPrompt as String
    static let kSecUseUserIndependentKeychain = Security.kSecUseUserIndependentKeychain as String
    static let kSecValueData = Security.kSecValueData as String
    static let kSecValuePersistentRef = Security.kSecValuePersistentRef as String
    static let kSecValueRef = Security.kSecValueRef as String
}
