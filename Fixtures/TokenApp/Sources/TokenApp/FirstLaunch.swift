import Foundation

/// What the keychain keeps outlives the app: what a former installation has left is cleared away at the first launch.
enum FirstLaunch {
    static func clearLeftovers(_ defaults: UserDefaults) {
        guard !defaults.bool(forKey: "hasLaunched") else { return }
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            let query: [String: Any] = [
                kSecClass as String: itemClass,
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
            ]
            SecItemDelete(query as CFDictionary)
        }
        defaults.set(true, forKey: "hasLaunched")
    }
}
