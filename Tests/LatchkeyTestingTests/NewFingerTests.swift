import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

@Suite struct NewFingerTests {
    @Test func aNewFingerInvalidatesTheToken() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        try device.run {
            var error: Unmanaged<CFError>?
            let access = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, &error))
            let add: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccount as String: "me",
                kSecAttrService as String: "token",
                kSecAttrAccessControl as String: access,
                kSecValueData as String: Data("s3cret".utf8),
            ]
            #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess, "\(device)")
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccount as String: "me",
                kSecAttrService as String: "token",
                kSecReturnData as String: true,
            ]
            var item: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, "\(device)")
            #expect(item as? Data == Data("s3cret".utf8))
            #expect(device.prompts.map(\.factor) == [.biometry])
            device.enroll("left thumb")
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecItemNotFound, "\(device)")
            #expect(device.decisions.last?.rule == .biometrySetChanged)
        }
    }
}
