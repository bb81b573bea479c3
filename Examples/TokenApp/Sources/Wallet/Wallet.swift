import Foundation
import Security

// A wallet with a seed for one phone and a login for all of them, with four mistakes that apps have shipped. `isMended` says whether
// each is written as it should be.

/// The seed, which is meant to stay on this phone.
public struct Seed {
    /// True for the code without the mistake.
    public var isMended: Bool

    /// Creates the code with the mistake, or without it.
    public init(isMended: Bool) { self.isMended = isMended }

    /// Stores the seed.
    public func save(_ seed: String) -> OSStatus {
        var item = Keychain.item("seed")
        item[kSecValueData as String] = Data(seed.utf8)
        // The helper makes every item synchronizable, because the login is.
        if isMended { item[kSecAttrSynchronizable as String] = false }
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// True if this phone has a seed.
    public var isThere: Bool {
        var query = Keychain.item("seed")
        query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
        return SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess
    }
}

/// The login, which all phones of the person share.
public struct Login {
    /// True for the code without the mistake.
    public var isMended: Bool

    /// Creates the code with the mistake, or without it.
    public init(isMended: Bool) { self.isMended = isMended }

    /// Stores the login.
    public func save(_ token: String) -> OSStatus {
        var item = Keychain.item("login")
        item[kSecValueData as String] = Data(token.utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// Returns the login; nil if there is none, or if this phone is signed out.
    public func load() -> String? {
        if isSignedOut { return nil }
        var query = Keychain.item("login")
        // A query without the attribute finds only items that do not sync.
        query[kSecAttrSynchronizable as String] = isMended ? kSecAttrSynchronizableAny : nil
        query[kSecReturnData as String] = true
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return (item as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Signs out on this phone.
    public func signOut() {
        // Deleting a synchronizable item deletes it everywhere. A note of this phone is enough.
        if isMended {
            _ = SecItemAdd(note as CFDictionary, nil)
        } else {
            _ = SecItemDelete(Keychain.item("login") as CFDictionary)
        }
    }

    private var isSignedOut: Bool { SecItemCopyMatching(note as CFDictionary, nil) == errSecSuccess }

    private var note: [String: Any] {
        Keychain.item("signed out").merging([kSecAttrSynchronizable as String: false]) { $1 }
    }

    /// Removes what an earlier installation on this phone has left behind.
    public func cleanUpAtFirstLaunch() {
        let all: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: Keychain.service,
            // Any includes the items that other phones have saved.
            kSecAttrSynchronizable as String: isMended ? false : kSecAttrSynchronizableAny,
        ]
        _ = SecItemDelete(all as CFDictionary)
    }
}

private enum Keychain {
    static let service = "wallet"

    static func item(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecAttrSynchronizable as String: true,
        ]
    }
}
