import Foundation

// Only Foundation is imported here, as in much code that grew up on Apple's platforms.

/// A text in the keychain. Writing it adds the item, or updates the existing one.
struct KeychainItem {
    struct KeychainError: Error, Equatable {
        let status: OSStatus
        var message: String { (SecCopyErrorMessageString(status, nil) as String?) ?? "unknown" }
    }

    let service: String
    let account: String
    var accessGroup: String?
    var accessible: CFString = kSecAttrAccessibleAfterFirstUnlock

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: account,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    func read() throws -> String? {
        var query = query
        query[kSecReturnData] = true
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        if status == errSecItemNotFound { return nil }
        guard status == noErr else { throw KeychainError(status: status) }
        guard let row = result as? [String: Any], let data = row[kSecValueData as String] as? Data else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    func write(_ text: String) throws {
        let data = text.data(using: .utf8)!
        var status = SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
        if status == errSecItemNotFound {
            var attributes = query
            attributes[kSecValueData] = data
            attributes[kSecAttrAccessible] = accessible
            status = SecItemAdd(attributes as CFDictionary, nil)
        }
        guard status == noErr else { throw KeychainError(status: status) }
    }

    func delete() throws {
        let status = SecItemDelete(query as CFDictionary)
        guard status == noErr || status == errSecItemNotFound else { throw KeychainError(status: status) }
    }

    /// Returns the accounts that have an item for a service.
    static func accounts(of service: String) throws -> [String] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecReturnAttributes: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        guard status == noErr, let rows = result as? [[String: Any]] else { throw KeychainError(status: status) }
        return rows.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }
}

/// A setting stored in the keychain.
@propertyWrapper
struct KeychainStored {
    private let item: KeychainItem

    init(_ account: String, service: String = "com.example.app.settings") {
        item = KeychainItem(service: service, account: account)
    }

    var wrappedValue: String? {
        get { try? item.read() }
        nonmutating set {
            if let newValue { try? item.write(newValue) } else { try? item.delete() }
        }
    }
}
