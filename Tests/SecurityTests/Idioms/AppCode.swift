import Foundation
import LocalAuthentication
import Security

// The code of apps for Apple's platforms, unchanged. That it compiles is half of the test: it is compiled with the
// tests in Swift 6, and by one of LocalAuthentication's in Swift 5.

/// A store that hands Foundation's dictionaries to the calls.
struct LegacyStore {
    let account: String

    func add(_ secret: String) -> OSStatus {
        let attributes = NSMutableDictionary()
        attributes.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
        attributes[kSecAttrAccount as String] = account
        attributes.setObject(Data(secret.utf8), forKey: kSecValueData as NSString)
        attributes[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlocked
        return SecItemAdd(attributes, nil)
    }

    func read() -> String? {
        let query: NSDictionary = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: kCFBooleanTrue as Any,
            kSecMatchLimit: kSecMatchLimitOne,
        ]
        var item: CFTypeRef?
        guard SecItemCopyMatching(query, &item) == errSecSuccess, let data = item as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    private var query: NSMutableDictionary {
        NSMutableDictionary(
            objects: [kSecClassGenericPassword, account], forKeys: [kSecClass as NSString, kSecAttrAccount as NSString])
    }

    func updates(to secret: String) -> [OSStatus] {
        let changes: NSDictionary = [kSecValueData as String: Data(secret.utf8)]
        let same: [String: Any] = [kSecValueData as String: Data(secret.utf8)]
        let identity: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        ]
        return [
            SecItemUpdate(query, changes),
            SecItemUpdate(query, same as CFDictionary),
            SecItemUpdate(query, [kSecValueData: Data(secret.utf8)] as CFDictionary),
            SecItemUpdate(query, [kSecValueData: Data(secret.utf8)] as NSDictionary),
            SecItemUpdate(identity as CFDictionary, changes),
            SecItemUpdate(identity as CFDictionary, [kSecValueData: Data(secret.utf8)] as NSDictionary),
            SecItemUpdate(identity as NSDictionary, same as NSDictionary),
        ]
    }

    func delete() -> OSStatus {
        SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as NSDictionary)
    }

    func exists() -> Bool {
        SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as CFDictionary, nil)
            == errSecSuccess
    }
}

/// The calls as values, so that tests of an app can replace them.
struct KeychainCalls {
    var add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
    var copyMatching = SecItemCopyMatching
    var update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate(_:_:)
    var delete: (CFDictionary) -> OSStatus = SecItemDelete
}

/// The texts of an app's Info.plist by Core Foundation's keys.
func appTexts(of bundle: Bundle = .main) -> [String?] {
    let info = bundle.infoDictionary
    return [
        info?[kCFBundleIdentifierKey as String] as? String,
        info?[kCFBundleNameKey! as String] as? String,
        info?[String(kCFBundleVersionKey)] as? String,
        bundle.object(forInfoDictionaryKey: kCFBundleExecutableKey as String) as? String,
    ]
}

/// The bytes of a buffer without a copy, and back.
func roundTrip(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { buffer in
        let data = CFDataCreateWithBytesNoCopy(
            kCFAllocatorDefault, buffer.baseAddress!, buffer.count, kCFAllocatorNull)!
        return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
    }
}

/// Saves a login for the app's web site.
func shareLogin(_ user: String, _ password: String?, completion: @escaping ((any Error)?) -> Void) {
    SecAddSharedWebCredential("example.com" as CFString, user as CFString, password as CFString?) { error in
        guard let error else { return completion(nil) }
        completion(error)
    }
}

/// Looks for logins of the app's web site.
func sharedLogins(of site: String?, completion: @escaping ([[String: String]]?, Int?) -> Void) {
    SecRequestSharedWebCredential(site as CFString?, nil) { credentials, error in
        guard let credentials, CFArrayGetCount(credentials) > 0 else {
            return completion(credentials.map { _ in [] }, error.map(CFErrorGetCode))
        }
        let found = (credentials as? [[String: Any]] ?? []).map {
            [
                "user": $0[kSecAttrAccount as String] as? String ?? "",
                "password": $0[kSecSharedPassword as String] as? String ?? "",
            ]
        }
        completion(found, nil)
    }
}

func newPassword() -> String { SecCreateSharedWebCredentialPassword()! as String }

/// A key as Apple's sample code creates, uses and imports it.
struct SampleKey {
    let privateKey: SecKey

    init() throws {
        let attributes: NSDictionary = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false, kSecAttrApplicationTag: "com.example.keys.mykey"],
        ]
        var error: Unmanaged<CFError>?
        guard let privateKey = SecKeyCreateRandomKey(attributes, &error) else {
            throw error!.takeRetainedValue() as any Error
        }
        self.privateKey = privateKey
    }

    var publicData: Data? {
        SecKeyCopyPublicKey(privateKey).flatMap { SecKeyCopyExternalRepresentation($0, nil) } as Data?
    }

    /// The secret that both keys agree on.
    func agreed(with other: Data) throws -> Data? {
        let attributes: NSDictionary = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        var error: Unmanaged<CFError>?
        guard let publicKey = SecKeyCreateWithData(other as NSData, attributes, &error) else {
            throw error!.takeRetainedValue() as any Error
        }
        let parameters: NSDictionary = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32]
        return SecKeyCopyKeyExchangeResult(
            privateKey, .ecdhKeyExchangeStandardX963SHA256, publicKey, parameters, &error) as Data?
    }
}

/// Generates a pair as older code does.
func legacyPair() -> (SecKey, SecKey)? {
    let parameters = NSMutableDictionary()
    parameters[kSecAttrKeyType] = kSecAttrKeyTypeEC
    parameters[kSecAttrKeySizeInBits] = 256
    var publicKey: SecKey?
    var privateKey: SecKey?
    guard SecKeyGeneratePair(parameters, &publicKey, &privateKey) == errSecSuccess else { return nil }
    return (publicKey!, privateKey!)
}

/// Reads the identities of an archive.
func identities(in archive: Data, _ passphrase: String) -> [[String: Any]]? {
    var items: CFArray?
    let options: NSDictionary = [kSecImportExportPassphrase as NSString: passphrase]
    guard SecPKCS12Import(archive as NSData, options, &items) == errSecSuccess else { return nil }
    return items as? [[String: Any]]
}
