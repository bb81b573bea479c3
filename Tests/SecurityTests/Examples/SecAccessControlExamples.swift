import Foundation
import LatchkeyTesting
import Security
import Testing

/// The examples in the documentation of `Security`, line by line.
@Suite struct SecAccessControlExamples {
    @Test func theExampleOfAnAccessControlRuns() {
        let device = SimulatedDevice()
        device.run {
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "token",
                kSecAttrAccessControl as String: access as Any,
                kSecValueData as String: Data("s3cret".utf8),
            ]
            let status = SecItemAdd(item as CFDictionary, nil)
            #expect(status == errSecSuccess)
            #expect(device.world.items.map(\.accessPolicy) == ["whenUnlockedThisDeviceOnly, biometryCurrentSet"])
        }
    }
}
