import Foundation
import Latchkey
import LatchkeyTesting
import LocalAuthentication
import Testing
import UserPresence

/// Semantics 6.7: rights.
@Suite struct RightsTests {
    static let rights: [Fact] = [
        Fact("its state is unknown at first") {
            #expect(LARight().state == .unknown && LARight().tag == 0)
        },
        Fact("its tag is the app's") {
            let right = LARight()
            right.tag = 7
            #expect(right.tag == 7)
        },
        Fact("the owner is authorized for the usual one", on: { SimulatedDevice() }) { device in
            let right = LARight()
            try await right.authorize(localizedReason: "a test")
            #expect(right.state == .authorized && device.factors == [.biometry])
            #expect(device.prompts.map(\.reason) == ["a test"])
        },
        Fact("the usual one takes the passcode", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            let right = LARight()
            try await right.authorize(localizedReason: "a test")
            #expect(right.state == .authorized && device.factors == [.biometry, .passcode])
        },
        Fact("a right of biometry does not", on: { SimulatedDevice() }) { device in
            device.user = Person(passcode: "1234")
            let right = LARight(requirement: .biometry)
            #expect(await code { try await right.authorize(localizedReason: "a test") } == .userCancel)
            #expect(right.state == .notAuthorized)
        },
        Fact("biometry with a fallback takes the passcode", on: { SimulatedDevice(enrolled: []) }) { device in
            for fallback in [LABiometryFallbackRequirement.default, .devicePasscode] {
                let right = LARight(requirement: .biometry(fallback: fallback))
                try await right.authorize(localizedReason: "a test")
                #expect(right.state == .authorized)
            }
            #expect(device.factors == [.passcode, .passcode])
        },
        Fact("it is authorizing while somebody is asked", on: { SimulatedDevice() }) { device in
            let shown = device.holdStill()
            nonisolated(unsafe) let right = LARight()
            async let authorized: Void? = try? right.authorize(localizedReason: "a test")
            await shown.next()
            #expect(right.state == .authorizing)
            device.lock()
            _ = await authorized
            #expect(right.state == .notAuthorized)
        },
        Fact("giving it up while somebody is asked holds, whatever they answer", on: { SimulatedDevice() }) { device in
            let (shown, told) = AsyncStream<Void>.makeStream()
            let isGivenUp = DispatchSemaphore(value: 0)
            device.keychain.user = ClosureUser { _ in
                told.yield()
                isGivenUp.wait()
                return .touch(showing: "right index")
            }
            nonisolated(unsafe) let right = LARight()
            async let failure = code { try await right.authorize(localizedReason: "a test") }
            await shown.next()
            await right.deauthorize()
            isGivenUp.signal()
            #expect(await failure == .appCancel)
            #expect(right.state == .notAuthorized)
        },
        Fact("checkCanAuthorize asks nobody", on: { SimulatedDevice() }) { device in
            let right = LARight(requirement: .biometry)
            try await right.checkCanAuthorize()
            #expect(right.state == .unknown && device.prompts.isEmpty)
        },
        Fact("checkCanAuthorize says why not", on: { SimulatedDevice(enrolled: []) }) { _ in
            let right = LARight(requirement: .biometry)
            #expect(await code { try await right.checkCanAuthorize() } == .biometryNotEnrolled)
            try await LARight().checkCanAuthorize()
        },
        Fact("deauthorize gives it up", on: { SimulatedDevice() }) { device in
            let right = LARight()
            try await right.authorize(localizedReason: "a test")
            await right.deauthorize()
            #expect(right.state == .notAuthorized)
            try await right.authorize(localizedReason: "a test")
            #expect(right.state == .authorized && device.factors == [.biometry, .biometry])
        },
        Fact("a failure leaves it not authorized", on: { SimulatedDevice() }) { device in
            let right = LARight()
            try await right.authorize(localizedReason: "a test")
            device.user = .absent
            try? await right.authorize(localizedReason: "a test")
            #expect(right.state == .notAuthorized)
        },
        Fact("the state is the object's", on: { SimulatedDevice() }) { _ in
            try await LARight().authorize(localizedReason: "a test")
            #expect(LARight().state == .unknown)
        },
        Fact("an empty reason is an error where the test wants one", on: { SimulatedDevice() }) { device in
            device.misuse = .isAnError
            let right = LARight()
            await #expect(throws: (any Error).self) { try await right.authorize(localizedReason: "") }
            #expect(right.state == .notAuthorized && device.prompts.isEmpty)
        },
    ]

    static let store: [Fact] = [
        Fact("a saved right is found again, with its secret", on: { SimulatedDevice() }) { device in
            let secret = Data("s3cret".utf8)
            try await LARightStore.shared.saveRight(LARight(requirement: .biometry), identifier: "pay", secret: secret)
            let right = try await LARightStore.shared.right(forIdentifier: "pay")
            #expect(right.state == .unknown && device.prompts.isEmpty)
            try await right.authorize(localizedReason: "a test")
            #expect(right.state == .authorized)
            let read = try await right.secret.rawData
            #expect(read == secret && device.factors == [.biometry])
        },
        Fact("a right is saved without a secret", on: { SimulatedDevice() }) { _ in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "pay")
            try await right.authorize(localizedReason: "a test")
            let read = try await right.secret.rawData
            #expect(read.isEmpty)
        },
        Fact("the secret needs authorization", on: { SimulatedDevice() }) { device in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            await #expect(throws: LAError.self) { try await right.secret.rawData }
            try await right.authorize(localizedReason: "a test")
            _ = try await right.secret.rawData
            await right.deauthorize()
            await #expect(throws: LAError.self) { try await right.secret.rawData }
            #expect(device.factors == [.biometry])
        },
        Fact("a lock ends the authorization of a secret", on: { SimulatedDevice() }) { device in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            try await right.authorize(localizedReason: "a test")
            device.lock()
            device.unlock(passcode: "1234")
            device.clearRecords()
            await #expect(throws: LAError.self) { try await right.secret.rawData }
            #expect(device.prompts.isEmpty)
            try await right.authorize(localizedReason: "a test")
            let read = try await right.secret.rawData
            #expect(read == Data([1]))
        },
        Fact("a right of the current set is lost after an enrollment", on: { SimulatedDevice() }) { device in
            let saved = try await LARightStore.shared.saveRight(
                LARight(requirement: .biometryCurrentSet), identifier: "pay", secret: Data([1]))
            try await saved.authorize(localizedReason: "a test")
            device.enroll("left thumb")
            let right = try? await LARightStore.shared.right(forIdentifier: "pay")
            if let right {
                await #expect(throws: LAError.self) { try await right.authorize(localizedReason: "a test") }
            }
            await #expect(throws: LAError.self) { try await saved.secret.rawData }
            device.remove("left thumb")
            await #expect(throws: LAError.self) { try await saved.authorize(localizedReason: "a test") }
        },
        Fact("a right of any biometry is not", on: { SimulatedDevice() }) { device in
            let right = try await LARightStore.shared.saveRight(
                LARight(requirement: .biometry), identifier: "pay", secret: Data([1]))
            device.enroll("left thumb")
            try await right.authorize(localizedReason: "a test")
            let read = try await right.secret.rawData
            #expect(read == Data([1]))
        },
        Fact("an identifier that is not there", on: { SimulatedDevice() }) { _ in
            await #expect(throws: LAError.self) { try await LARightStore.shared.right(forIdentifier: "pay") }
            await #expect(throws: LAError.self) { try await LARightStore.shared.removeRight(forIdentifier: "pay") }
        },
        Fact("an identifier that is taken: the first right stays", on: { SimulatedDevice() }) { _ in
            let first = try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            await #expect(throws: LAError.self) {
                try await LARightStore.shared.saveRight(
                    LARight(requirement: .biometry), identifier: "pay", secret: Data([2]))
            }
            try await first.authorize(localizedReason: "a test")
            let read = try await first.secret.rawData
            #expect(read == Data([1]))
        },
        Fact("a removed right is gone", on: { SimulatedDevice() }) { _ in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            try await right.authorize(localizedReason: "a test")
            try await LARightStore.shared.removeRight(right)
            await #expect(throws: LAError.self) { try await right.secret.rawData }
            await #expect(throws: LAError.self) { try await LARightStore.shared.right(forIdentifier: "pay") }
            try await LARightStore.shared.saveRight(LARight(), identifier: "pay")
            try await LARightStore.shared.removeRight(forIdentifier: "pay")
        },
        Fact("all rights can be removed, also where there are none", on: { SimulatedDevice() }) { device in
            for identifier in ["one", "two"] {
                try await LARightStore.shared.saveRight(LARight(), identifier: identifier)
            }
            try await LARightStore.shared.removeAllRights()
            try await LARightStore.shared.removeAllRights()
            #expect(device.world.items.isEmpty)
        },
        Fact("no query of the app comes upon a right", on: { SimulatedDevice() }) { device in
            try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            let all: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
            #expect(SecItemCopyMatching(all as CFDictionary, nil) == errSecItemNotFound)
            #expect(SecItemDelete(all as CFDictionary) == errSecItemNotFound)
            let keys: [String: Any] = [kSecClass as String: kSecClassKey, kSecReturnRef as String: true]
            #expect(SecItemCopyMatching(keys as CFDictionary, nil) == errSecItemNotFound)
            #expect(SecItemDelete(keys as CFDictionary) == errSecItemNotFound)
            #expect(device.world.items.count == 2)
        },
        Fact("another app has rights of its own", on: { SimulatedDevice() }) { device in
            let mine = try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([1]))
            let app = device.app
            device.app = App(identifier: "com.example.other")
            await #expect(throws: LAError.self) { try await LARightStore.shared.right(forIdentifier: "pay") }
            try await LARightStore.shared.saveRight(LARight(), identifier: "pay", secret: Data([2]))
            try await LARightStore.shared.removeAllRights()
            device.app = app
            try await mine.authorize(localizedReason: "a test")
            let read = try await mine.secret.rawData
            #expect(read == Data([1]))
        },
        Fact("biometry with the passcode instead keeps its secret when fingers change", on: { SimulatedDevice() }) {
            device in
            let right = try await LARightStore.shared.saveRight(
                LARight(requirement: .biometry(fallback: .devicePasscode)), identifier: "pay", secret: Data([1]))
            device.remove("right index")
            try await right.authorize(localizedReason: "a test")
            let read = try await right.secret.rawData
            #expect(read == Data([1]) && device.factors == [.passcode])
        },
        Fact("checkCanAuthorize of a right that was removed", on: { SimulatedDevice() }) { _ in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "pay")
            try await right.checkCanAuthorize()
            try await LARightStore.shared.removeRight(right)
            await #expect(throws: LAError.self) { try await right.checkCanAuthorize() }
        },
    ]

    @Test(arguments: rights) func aRightIsTheObjects(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: store) func aStoreKeepsRights(_ fact: Fact) async throws { try await fact.check() }
}

/// Returns the code of the error that `body` throws; nil if it throws none, or another error.
func code(_ body: () async throws -> Void) async -> LAError.Code? {
    do { try await body() } catch { return (error as? LAError)?.code }
    return nil
}
