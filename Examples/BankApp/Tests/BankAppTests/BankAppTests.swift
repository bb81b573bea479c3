import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

@testable import BankApp

/// The bank of the tests. It verifies signatures as a server does that knows only public keys.
actor TestServer: BankServer {
    struct Refusal: Error, LocalizedError {
        let why: String
        var errorDescription: String? { why }
    }

    private(set) var keys: [String: Data] = [:]
    private var challenges: [String: Data] = [:]

    func register(_ publicKey: Data, of user: String, password: String) throws {
        guard password == "correct" else { throw Refusal(why: "The password is wrong.") }
        keys[user] = publicKey
    }

    func challenge(for user: String) -> Data {
        var challenge = Data(count: 32)
        let status = challenge.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
        precondition(status == errSecSuccess)
        challenges[user] = challenge
        return challenge
    }

    func signIn(_ user: String, signature: Data) throws -> String {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        // A challenge counts once, so a recorded signature is worth nothing.
        guard let challenge = challenges.removeValue(forKey: user), let bytes = keys[user],
            let key = SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil),
            SecKeyVerifySignature(
                key, .ecdsaSignatureMessageX962SHA256, challenge as CFData, signature as CFData, nil)
        else { throw Refusal(why: "The signature is not that of the registered device.") }
        return "token of \(user)"
    }
}

@Suite @MainActor struct SignInTests {
    let device = SimulatedDevice.iPhoneWithFaceID()
    let server = TestServer()

    private static let changed =
        "The fingers or faces of this device have changed. Register it again with your password."

    /// Runs `body` with a screen of a registered device.
    private func onRegistered(_ body: (SignIn) async throws -> Void) async rethrows {
        try await device.run {
            let screen = SignIn(user: "ann", server: server)
            await screen.register(password: "correct")
            #expect(screen.state == .signedOut)
            try await body(screen)
        }
    }

    @Test func aDeviceRegistersWithoutAPrompt() async {
        await onRegistered { _ in
            #expect(device.prompts.isEmpty)
            #expect(await server.keys["ann"]?.count == 65)
        }
    }

    @Test func theUserSignsInWithAFace() async {
        await onRegistered { screen in
            await screen.signIn()
            #expect(screen.state == .signedIn(token: "token of ann"), "\(device)")
            #expect(device.prompts.map(\.reason) == ["Sign in to your bank"])
            #expect(device.prompts.map(\.factor) == [.biometry])
        }
    }

    @Test func theKeyOutlivesTheApp() async {
        await onRegistered { _ in
            device.reboot()
            device.unlock(passcode: "1234")
            let screen = SignIn(user: "ann", server: server)
            #expect(screen.state == .signedOut)
            await screen.signIn()
            #expect(screen.state == .signedIn(token: "token of ann"), "\(device)")
        }
    }

    @Test func aStrangerDoesNotSignIn() async {
        await onRegistered { screen in
            device.user = .stranger
            await screen.signIn()
            #expect(screen.state == .failed("You were not recognized."), "\(device)")
            device.user = .absent
            await screen.signIn()
            #expect(screen.state == .signedOut)
        }
    }

    @Test func afterTooManyAttemptsTheAppSaysWhatHelps() async {
        await onRegistered { screen in
            device.user = .stranger
            for _ in 1...5 { await screen.signIn() }
            device.user = .owner(of: device)
            await screen.signIn()
            #expect(
                screen.state == .failed("Too many attempts. Unlock your device with its passcode first."), "\(device)")
        }
    }

    @Test func aNewFaceEndsTheRegistrationAndAPasswordRenewsIt() async throws {
        try await onRegistered { screen in
            let former = try #require(await server.keys["ann"])
            device.enroll("another face")
            #expect(DeviceKey().exists)
            await screen.signIn()
            #expect(screen.state == .needsPassword(Self.changed), "\(device)")
            #expect(!DeviceKey().exists)

            await screen.register(password: "wrong")
            #expect(screen.state == .needsPassword("The password is wrong."))
            await screen.register(password: "correct")
            #expect(screen.state == .signedOut)
            await screen.signIn()
            #expect(screen.state == .signedIn(token: "token of ann"), "\(device)")
            #expect(await server.keys["ann"] != former)
        }
    }

    @Test func aFaceThatGoesAwayAgainDoesNotBringTheKeyBack() async {
        await onRegistered { screen in
            device.enroll("another face")
            device.remove("another face")
            await screen.signIn()
            #expect(screen.state == .needsPassword(Self.changed), "\(device)")
        }
    }

    @Test func aDeviceWithoutAFaceCannotRegister() async {
        let device = SimulatedDevice.simulator()
        await device.run {
            let screen = SignIn(user: "ann", server: server)
            #expect(screen.state == .needsPassword("Register this device with your password."))
            await screen.register(password: "correct")
            #expect(screen.state != .signedOut && !DeviceKey().exists)
            #expect(await server.keys.isEmpty)
        }
    }
}

@Suite struct DeviceKeyTests {
    let device = SimulatedDevice.iPhoneWithTouchID()

    @Test func oneFingerSignsSeveralChallengesInOneContext() throws {
        try device.run {
            _ = try DeviceKey().create()
            let context = LAContext()
            let signatures = try (1...3).map { try DeviceKey().sign(Data([$0]), reason: "Confirm", in: context) }
            #expect(Set(signatures).count == 3 && device.prompts.count == 1)
            _ = try DeviceKey().sign(Data([4]), reason: "Confirm")
            #expect(device.prompts.count == 2)
        }
    }

    @Test func nobodyGetsThePrivateKey() throws {
        try device.run {
            _ = try DeviceKey().create()
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]
            var item: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(item as! SecKey, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecUnimplemented))
            let data: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnData: true]
            var bytes: CFTypeRef?
            _ = SecItemCopyMatching(data as CFDictionary, &bytes)
            #expect(bytes == nil)
        }
    }

    @Test func anotherAppHasNoSuchKey() throws {
        try device.run {
            _ = try DeviceKey().create()
            device.app = App(identifier: "com.example.other")
            #expect(!DeviceKey().exists)
            #expect(throws: DeviceKey.Failure.notRegistered) { try DeviceKey().sign(Data([1]), reason: "Confirm") }
        }
    }
}
