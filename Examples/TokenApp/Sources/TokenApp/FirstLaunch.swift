import Foundation

/// The clean-up at first launch. Keychain items outlive the app, so a former installation may have left some.
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
