import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Tests of the app that makes the calls.
@Suite struct AppTests {
    @Test func appsSeeTheirOwnItemsAndThoseOfTheirGroups() throws {
        let device = SimulatedDevice(app: App(identifier: "com.example.one", groups: ["group.shared"]))
        try device.run {
            try TokenStore().save("one's", flags: [])
            let shared: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "shared",
                kSecAttrService as String: "token", kSecAttrAccessGroup as String: "group.shared",
                kSecValueData as String: Data("both's".utf8),
            ]
            #expect(SecItemAdd(shared as CFDictionary, nil) == errSecSuccess)
            device.app = App(identifier: "com.example.two", groups: ["group.shared"])
            #expect(TokenStore().status() == errSecItemNotFound)
            #expect(try TokenStore().load("shared") == "both's")
            try TokenStore().save("two's", flags: [])
            device.app = App(identifier: "com.example.one")
            #expect(try TokenStore().load() == "one's")
            #expect(TokenStore().status("shared") == errSecItemNotFound)
        }
        #expect(Set(device.world.items.compactMap(\.group)) == ["com.example.one", "com.example.two", "group.shared"])
    }

    @Test func aKeychainGroupComesFirst() throws {
        let device = SimulatedDevice(app: App(keychainGroups: ["TEAM.keychain"]))
        try device.run { try TokenStore().save("s3cret", flags: []) }
        #expect(device.world.items.map(\.group) == ["TEAM.keychain"])
    }

    /// Code adds an item to learn the prefix of its team.
    @Test func aTeamPrefixIsPartOfTheIdentifiers() throws {
        let app = App(identifier: "ABCDE12345.com.example.app", keychainGroups: ["ABCDE12345.com.example.shared"])
        try SimulatedDevice(app: app).run {
            try TokenStore().save("s3cret", flags: [])
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecReturnAttributes as String: true,
            ]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let group = try #require((found as? [String: Any])?[kSecAttrAccessGroup as String] as? String)
            #expect(group == "ABCDE12345.com.example.shared" && group.split(separator: ".").first == "ABCDE12345")
        }
    }

    @Test func anAppWithoutEntitlementsGetsNothing() {
        let device = SimulatedDevice(app: App(isEntitled: false))
        device.run { #expect(TokenStore().status() == errSecMissingEntitlement, "\(device)") }
    }

    @Test func manyAppsTakeTurns() throws {
        let device = SimulatedDevice.iPhoneWithFaceID()
        let apps = (0..<10).map { App(identifier: "com.example.app\($0)", faceIDPermission: .notAsked) }
        try device.run {
            for app in apps {
                device.app = app
                try TokenStore().save(app.identifier, flags: .biometryAny)
                #expect(try TokenStore().load() == app.identifier)
            }
            for app in apps {
                device.app = app
                #expect(try TokenStore().load() == app.identifier)
            }
        }
        #expect(device.world.items.count == 10)
    }

    /// Each of four apps keeps its answer while the others take turns. A fifth replaces the one that has been away
    /// longest.
    @Test func whatTheHolderAnsweredStaysWithTheApp() async throws {
        let device = SimulatedDevice.iPhoneWithFaceID()
        var apps = (0..<4).map { App(identifier: "com.example.app\($0)", faceIDPermission: .notAsked) }
        await device.run {
            for (number, app) in apps.enumerated() {
                device.app = app
                var user = Person.owner(of: device)
                user.permitsBiometry = number % 2 == 0
                device.user = user
                _ = try? await LAContext().evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "a test")
                apps[number] = device.app
            }
            #expect(apps.map(\.faceIDPermission) == [.given, .denied, .given, .denied])
            device.app = App(identifier: "com.example.fifth", faceIDPermission: .denied)
            for app in apps.reversed() {
                device.app = app
                #expect(
                    LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
                        == (app.faceIDPermission == .given), "\(app.identifier)")
            }
            #expect(device.permissionAlerts == 4)
        }
    }

    @Test func changingAGroupKeepsThePermission() async throws {
        let device = SimulatedDevice.iPhoneWithFaceID(app: App(faceIDPermission: .notAsked))
        try await device.run {
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
            device.app.groups.append("group.shared")
            #expect(device.app.faceIDPermission == .given)
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test")
        }
        #expect(device.permissionAlerts == 1)
    }
}
