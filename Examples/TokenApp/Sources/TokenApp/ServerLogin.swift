import Foundation
import Security

/// A login for a server, stored as an internet password.
struct ServerLogin: Equatable {
    var user: String
    var password: String

    static func save(_ login: ServerLogin, for server: URL) -> Bool {
        var attributes = query(for: server)
        attributes[kSecAttrAccount as String] = login.user as AnyObject
        attributes[kSecValueData as String] = Data(login.password.utf8) as AnyObject
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return status == errSecSuccess }
        let changes = [kSecValueData as String: Data(login.password.utf8)]
        var query = query(for: server)
        query[kSecAttrAccount as String] = login.user as AnyObject
        return SecItemUpdate(query as CFDictionary, changes as CFDictionary) == errSecSuccess
    }

    static func find(for server: URL) -> ServerLogin? {
        var query = query(for: server)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnAttributes as String] = kCFBooleanTrue
        query[kSecReturnData as String] = kCFBooleanTrue
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
            let found = item as? [String: Any],
            let user = found[kSecAttrAccount as String] as? String,
            let data = found[kSecValueData as String] as? Data
        else { return nil }
        return ServerLogin(user: user, password: String(decoding: data, as: UTF8.self))
    }

    private static func query(for server: URL) -> [String: AnyObject] {
        [
            kSecClass as String: kSecClassInternetPassword as AnyObject,
            kSecAttrServer as String: (server.host ?? "") as AnyObject,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS as AnyObject,
            kSecAttrPort as String: (server.port ?? 443) as AnyObject,
            kSecAttrPath as String: server.path as AnyObject,
        ]
    }
}
