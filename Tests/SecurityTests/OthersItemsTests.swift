import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// No call reveals whether other apps have items, or which.
@Suite struct OthersItemsTests {
    private static var filters: [[CFString: Any]] {
        [
            [:], [kSecAttrServer: "example.com"], [kSecMatchHostOrSubdomainOfHost: "example.com"],
            [kSecMatchHostOrSubdomainOfHost: "com"], ["sha1" as CFString: Data(count: 20)],
            [kSecAttrLabel: "a label"], [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
            [kSecAttrServer: "example.com", kSecAttrLabel: "a label"],
        ]
    }

    /// Returns the results of the calls, where the app `theirs` has stored an item or not.
    private func outcomes(isStored: Bool, isLocked: Bool, naming group: String?) -> [String] {
        let device = SimulatedDevice(app: App(identifier: "theirs"))
        return device.run {
            let context = LAContext()
            context.setCredential(Data("a password".utf8), type: .applicationPassword)
            let flags: [SecAccessControlCreateFlags] = [[], .biometryAny, .applicationPassword]
            for (number, flags) in flags.enumerated() where isStored {
                let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
                let item: [CFString: Any] = [
                    kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrAccount: "\(number)",
                    kSecAttrLabel: "a label", kSecAttrAccessControl: access as Any, kSecValueData: Data([1]),
                    kSecUseAuthenticationContext: context,
                ]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            }
            device.app = App(identifier: "ours")
            if isLocked {
                device.lock()
                device.advance(by: .seconds(11))
            }
            device.clearRecords()
            let limits: [[CFString: Any]] = [[:], [kSecMatchLimit: 2], [kSecMatchLimit: kSecMatchLimitAll]]
            let returns: [[CFString: Any]] = [
                [:], [kSecReturnData: true], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true],
            ]
            let askings: [[CFString: Any]] =
                [[:]]
                + [kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip].map { [kSecUseAuthenticationUI: $0] }
            var outcomes: [String] = []
            for filter in Self.filters {
                var meant: [CFString: Any] = [kSecClass: kSecClassInternetPassword]
                meant.merge(filter) { $1 }
                meant[kSecAttrAccessGroup] = group
                for asking in askings {
                    meant.merge(asking) { $1 }
                    for more in limits.flatMap({ limit in returns.map { limit.merging($0) { $1 } } }) {
                        let query = meant.merging(more) { $1 }
                        outcomes.append(
                            "\(query.keys.map { "\($0)" }.sorted()): \(SecItemCopyMatching(query as CFDictionary, nil))"
                        )
                    }
                    outcomes.append(
                        "update: \(SecItemUpdate(meant as CFDictionary, [kSecAttrComment: "x"] as CFDictionary))")
                    outcomes.append("delete: \(SecItemDelete(meant as CFDictionary))")
                }
            }
            #expect(device.prompts.isEmpty && device.world.items.count == (isStored ? 3 : 0))
            return outcomes
        }
    }

    @Test(arguments: [false, true], ["theirs", nil]) func areAsIfThereWereNone(isLocked: Bool, group: String?) {
        let there = outcomes(isStored: true, isLocked: isLocked, naming: group)
        let notThere = outcomes(isStored: false, isLocked: isLocked, naming: group)
        for (there, notThere) in zip(there, notThere) { #expect(there == notThere) }
        let usual = group == nil ? errSecItemNotFound : errSecMissingEntitlement
        for outcome in notThere where outcome.hasPrefix("[") { #expect(outcome.hasSuffix(": \(usual)")) }
    }
}
