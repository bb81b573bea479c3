import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

@testable import TokenApp

@Suite struct TokenStoreTests {
    let device = SimulatedDevice.iPhoneWithFaceID()

    @Test func theOwnerGetsTheTokenBack() throws {
        try device.run {
            try TokenStore().save("s3cret")
            #expect(TokenStore().exists)
            #expect(device.prompts.isEmpty)
            #expect(try TokenStore().load(reason: "to sign you in") == "s3cret")
            #expect(device.prompts.map(\.reason) == ["to sign you in"])
        }
    }

    @Test func aNewFaceEndsTheSession() throws {
        try device.run {
            try TokenStore().save("s3cret")
            device.enroll("another face")
            #expect(throws: TokenStore.Failure.notFound, "\(device)") { try TokenStore().load() }
            #expect(!TokenStore().exists)
            try TokenStore().save("another")
            #expect(try TokenStore().load() == "another")
        }
    }

    @Test func aStrangerGetsNothing() throws {
        try device.run {
            try TokenStore().save("s3cret")
            device.user = .stranger
            #expect(throws: TokenStore.Failure.biometryChangedOrFailed) { try TokenStore().load() }
            device.user = .absent
            #expect(throws: TokenStore.Failure.canceled) { try TokenStore().load() }
        }
    }

    @Test func withoutAPasscodeThereIsNoToken() {
        let simulator = SimulatedDevice.simulator()
        simulator.run {
            let failure = #expect(throws: TokenStore.Failure.self) { try TokenStore().save("s3cret") }
            #expect(failure == .unexpected(errSecNotAvailable))
        }
    }

    @Test func aDiskThatFailsIsNoMissingToken() throws {
        try device.run {
            try TokenStore().save("s3cret")
            device.fail(next: .read, with: errSecIO)
            #expect(throws: TokenStore.Failure.unexpected(errSecIO)) { try TokenStore().load() }
            #expect(try TokenStore().load() == "s3cret")
        }
    }
}

@Suite struct KeychainItemTests {
    let device = SimulatedDevice()

    @Test func whatIsWrittenTwiceIsOneItem() throws {
        try device.run {
            let item = KeychainItem(service: "notes", account: "me")
            #expect(try item.read() == nil)
            try item.write("first")
            try item.write("second")
            #expect(try item.read() == "second")
            #expect(device.world.items.count == 1)
            try item.delete()
            #expect(try item.read() == nil)
        }
    }

    @Test func afterARestartNothingIsReadBeforeThePasscode() throws {
        try device.run {
            let item = KeychainItem(service: "notes", account: "me")
            try item.write("text")
            device.reboot()
            #expect(throws: KeychainItem.KeychainError(status: errSecInteractionNotAllowed)) { try item.read() }
            device.unlock(passcode: "1234")
            #expect(try item.read() == "text")
        }
    }

    @Test func aGroupThatIsNotOursIsRefused() throws {
        try device.run {
            let item = KeychainItem(service: "notes", account: "me", accessGroup: "group.shared")
            #expect(throws: KeychainItem.KeychainError(status: errSecMissingEntitlement)) { try item.write("text") }
            device.app = App(identifier: "com.example.app", groups: ["group.shared"])
            try item.write("text")
            device.app = App(identifier: "com.example.extension", groups: ["group.shared"])
            #expect(try item.read() == "text")
        }
    }

    @Test func aSettingIsKept() {
        device.run {
            struct Settings {
                @KeychainStored("server") var server
            }
            let settings = Settings()
            settings.server = "example.com"
            #expect(Settings().server == "example.com")
            settings.server = nil
            #expect(Settings().server == nil)
        }
    }
}

@Suite @MainActor struct CredentialStoreTests {
    @Test func theListFollowsWhatIsSaved() {
        let device = SimulatedDevice()
        device.run {
            let store = CredentialStore()
            store.save("one", for: "b")
            store.save("two", for: "a")
            #expect(store.accounts == ["a", "b"])
            #expect(store.password(for: "b") == "one")
            store.remove("b")
            #expect(store.accounts == ["a"])
            device.reboot()
            store.reload()
            #expect(store.lastError == "User interaction is not allowed.")
        }
    }
}

@Suite struct ServerLoginTests {
    @Test func eachServerAndPathHasItsLogin() throws {
        let device = SimulatedDevice.mac()
        let server = try #require(URL(string: "https://example.com/api"))
        let other = try #require(URL(string: "https://example.com:8443/api"))
        device.run {
            #expect(ServerLogin.save(ServerLogin(user: "me", password: "1"), for: server))
            #expect(ServerLogin.save(ServerLogin(user: "me", password: "2"), for: server))
            #expect(ServerLogin.find(for: server) == ServerLogin(user: "me", password: "2"))
            #expect(ServerLogin.find(for: other) == nil)
        }
    }
}

@Suite @MainActor struct AppLockTests {
    @Test func theOwnerOpensIt() async {
        let device = SimulatedDevice.iPhoneWithFaceID()
        await device.run {
            let lock = AppLock()
            #expect(lock.kind == "Face ID")
            await lock.unlock()
            #expect(lock.state == .unlocked)
            #expect(device.prompts.map(\.cancelTitle) == ["Not now"])
        }
    }

    @Test func whoeverKnowsThePasscodeOpensIt() async {
        let device = SimulatedDevice.iPhoneWithTouchID()
        device.user = Person(fingers: ["left thumb"], passcode: "1234")
        await device.run {
            let lock = AppLock()
            await lock.unlock()
            #expect(lock.state == .unlocked, "\(device)")
            #expect(device.prompts.map(\.factor) == [.biometry, .passcode])
        }
    }

    @Test func withoutAPasscodeItSaysSo() async {
        let device = SimulatedDevice.simulator()
        await device.run {
            let lock = AppLock()
            await lock.unlock()
            #expect(lock.state != .unlocked)
            #expect(lock.state != .locked)
        }
    }

    @Test func aMockStandsInForTheContext() async {
        final class Refusing: LAContext {
            override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { true }
            override func evaluatePolicy(
                _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
            ) {
                reply(false, LAError(.userCancel))
            }
        }
        let lock = AppLock(makeContext: { Refusing() })
        await lock.unlock()
        #expect(lock.state == .locked)
    }

    @Test func aNewFingerIsNoticed() {
        let device = SimulatedDevice()
        device.run {
            let lock = AppLock()
            #expect(!lock.enrollmentHasChanged())
            #expect(!lock.enrollmentHasChanged())
            device.enroll("left thumb")
            #expect(lock.enrollmentHasChanged())
        }
    }
}

@Suite struct FirstLaunchTests {
    @Test func leftoversAreClearedOnce() throws {
        let device = SimulatedDevice()
        try device.run {
            FirstLaunch.clearLeftovers()
            try KeychainItem(service: "old", account: "me").write("left behind")
            FirstLaunch.clearLeftovers()
            #expect(device.world.items.count == 1)
            device.reinstallApp()
            #expect(device.world.items.count == 1, "items outlive the app, and its user defaults do not")
            FirstLaunch.clearLeftovers()
            #expect(device.world.items.isEmpty && device.defaults.bool(forKey: "hasLaunched"))
            try KeychainItem(service: "new", account: "me").write("kept")
            FirstLaunch.clearLeftovers()
            #expect(device.world.items.count == 1)
        }
    }
}
