import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// The examples in the documentation of `LatchkeyTesting`, line by line.
@Suite struct SimulatedDeviceExamples {
    struct TokenStore {
        struct Failure: Error, Equatable { let status: OSStatus }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "notes",
                kSecAttrAccount as String: "token",
            ]
        }

        func save(_ token: String) throws {
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
            var item = query
            item[kSecAttrAccessControl as String] = access
            item[kSecValueData as String] = Data(token.utf8)
            SecItemDelete(query as CFDictionary)
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw Failure(status: status) }
        }

        func load() throws -> String {
            var query = query
            query[kSecReturnData as String] = true
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            guard status == errSecSuccess, let data = item as? Data else { throw Failure(status: status) }
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func theExampleOfADeviceRuns() throws {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234", enrolled: ["right index"])
        try device.run {
            try TokenStore().save("s3cret")
            device.enroll("left thumb")
            #expect(throws: TokenStore.Failure.self) { try TokenStore().load() }
        }
        #expect(device.decisions.last?.rule == .biometrySetChanged)
    }

    @Test func aNewFaceEndsTheSession() throws {
        let device = SimulatedDevice.iPhoneWithFaceID()
        try device.run {
            try TokenStore().save("s3cret")
            #expect(try TokenStore().load() == "s3cret")
            device.enroll("another face")
            #expect(throws: TokenStore.Failure(status: errSecItemNotFound)) { try TokenStore().load() }
            #expect(device.decisions.last?.rule == .biometrySetChanged)
        }
    }

    @Test func aLockedDeviceKeepsTheToken() throws {
        let device = SimulatedDevice.iPhoneWithFaceID()
        try device.run {
            try TokenStore().save("s3cret")
            device.lock()
            device.advance(by: .seconds(11))
            #expect(throws: TokenStore.Failure(status: errSecInteractionNotAllowed)) { try TokenStore().load() }
            device.unlock(passcode: "1234")
            #expect(try TokenStore().load() == "s3cret", "\(device)")
        }
    }

    @Test func theReasonIsShown() async throws {
        let device = SimulatedDevice.iPhoneWithTouchID()
        try await device.run {
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "open your notes")
            #expect(device.prompts.map(\.reason) == ["open your notes"])
        }
    }
}
