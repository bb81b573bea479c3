import Foundation
import LatchkeyTesting
import Security
import Testing

/// The checks of Apple's secd-81-item-acl-stress that call public functions, as facts: searches with an access control,
/// which is no condition, on items of every class.
@Suite struct AppleAccessControlChecksTests {
    private static let classes = [
        kSecClassInternetPassword, kSecClassGenericPassword, kSecClassKey, kSecClassCertificate,
    ].map { $0 as String }
    private static let protections = [
        kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ].map { $0 as String }

    @Test(arguments: classes, protections)
    func anAccessControlInASearchIsNoCondition(_ itemClass: String, _ protection: String) throws {
        let device = SimulatedDevice()
        device.run {
            let protection = protection as CFString
            var item: [CFString: Any] = [
                kSecClass: itemClass, kSecAttrLabel: "custom", kSecValueData: Data("data".utf8),
                kSecAttrAccessControl: access([], protection), kSecAttrSynchronizable: false,
            ]
            func add() -> OSStatus { SecItemAdd(item as CFDictionary, nil) }
            func find() -> OSStatus { SecItemCopyMatching(item as CFDictionary, nil) }
            func delete() -> OSStatus { SecItemDelete(item as CFDictionary) }
            #expect(add() == errSecSuccess && find() == errSecSuccess)
            #expect(delete() == errSecSuccess && find() == errSecItemNotFound)
            item[kSecAttrSynchronizable] = true
            #expect(add() == errSecParam)
            #expect(find() == errSecItemNotFound)
            item[kSecAttrSynchronizable] = false

            item[kSecAttrAccessControl] = access(.userPresence, protection)
            #expect(add() == errSecSuccess)
            item[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
            #expect(find() == errSecInteractionNotAllowed)
            item[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
            #expect(find() == errSecItemNotFound)
            item[kSecUseAuthenticationUI] = kSecUseAuthenticationUIAllow
            #expect(delete() == errSecSuccess && find() == errSecItemNotFound)
            item[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
            #expect(add() == errSecSuccess)
            #expect(find() == errSecInteractionNotAllowed)
            #expect(delete() == errSecSuccess && find() == errSecItemNotFound)
            // Another access control than that of the item, and one that no item of the class can have.
            item[kSecUseAuthenticationUI] = nil
            #expect(add() == errSecSuccess)
            item[kSecAttrAccessControl] = access([.biometryAny, .or, .devicePasscode], protection)
            #expect(find() == errSecSuccess)
            item[kSecAttrAccessControl] = access(.privateKeyUsage, protection)
            #expect(find() == errSecSuccess)
        }
    }
}
