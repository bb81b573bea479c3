import Foundation

/// The clean-up at first launch. Keychain items outlive the app, so a former installation may have left some.
enum FirstLaunch {
    static func clearLeftovers(_ defaults: UserDefaults = .standard) {
        guard !defaults.bool(forKey: "hasLaunched") else { return }
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            // Without the attribute, synchronizable items stay: deleting one would delete it on every device of the person.
            SecItemDelete([kSecClass as String: itemClass] as CFDictionary)
        }
        defaults.set(true, forKey: "hasLaunched")
    }
}
