import LocalAuthentication
import Security

/// The code of an app, as written for Apple's platforms.
struct TokenStore {
    struct Failure: Error { let status: OSStatus }

    func save(_ token: String, as account: String = "me", flags: SecAccessControlCreateFlags = .biometryCurrentSet)
        throws
    {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
        else { throw error!.takeRetainedValue() as any Error }
        var query = self.query(account)
        query[kSecAttrAccessControl as String] = access
        query[kSecValueData as String] = Data(token.utf8)
        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status: status) }
    }

    func load(_ account: String = "me", in context: LAContext? = nil) throws -> String {
        var query = self.query(account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let data = item as? Data else { throw Failure(status: status) }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the status of loading.
    func status(_ account: String = "me") -> OSStatus {
        do {
            _ = try load(account)
            return errSecSuccess
        } catch {
            return (error as? Failure)?.status ?? errSecInternalError
        }
    }

    func replace(_ token: String, _ account: String = "me") -> OSStatus {
        SecItemUpdate(query(account) as CFDictionary, [kSecValueData as String: Data(token.utf8)] as CFDictionary)
    }

    func delete(_ account: String = "me") -> OSStatus { SecItemDelete(query(account) as CFDictionary) }

    private func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "token",
            kSecAttrAccount as String: account,
        ]
    }
}
