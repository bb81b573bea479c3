import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 6.7: the forms with a completion handler.
@Suite struct RightCompletionTests {
    /// Waits for a handler that takes an error.
    private func failure(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> LAError.Code? {
        await withCheckedContinuation { continuation in
            call { continuation.resume(returning: ($0 as? LAError)?.code) }
        }
    }

    /// Waits for a handler that takes bytes and an error.
    private func bytes(_ call: (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Void) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            call { data, error in
                #expect((data == nil) != (error == nil))
                continuation.resume(with: data.map { .success($0) } ?? .failure(error ?? CancellationError()))
            }
        }
    }

    @Test func aRightIsAuthorizedAndGivenUp() async {
        let device = SimulatedDevice()
        await device.run { () async in
            let right = LARight()
            #expect(await failure { right.checkCanAuthorize(completion: $0) } == nil)
            #expect(device.prompts.isEmpty)
            #expect(await failure { right.authorize(localizedReason: "a test", completion: $0) } == nil)
            #expect(right.state == .authorized && device.factors == [.biometry])
            await withCheckedContinuation { continuation in
                right.deauthorize { continuation.resume() }
            }
            #expect(right.state == .notAuthorized)
            device.user = .absent
            #expect(await failure { right.authorize(localizedReason: "a test", completion: $0) } == .userCancel)
            device.removePasscode()
            #expect(await failure { right.checkCanAuthorize(completion: $0) } == .passcodeNotSet)
        }
    }

    @Test func theStoreSavesFindsAndRemovesRights() async throws {
        let device = SimulatedDevice()
        try await device.run { () async throws in
            let store = LARightStore.shared
            let secret = Data("s3cret".utf8)
            #expect(await isThere { store.saveRight(LARight(), identifier: "login", secret: secret, completion: $0) })
            #expect(await isThere { store.saveRight(LARight(), identifier: "other", completion: $0) })
            #expect(await isThere { store.right(forIdentifier: "login", completion: $0) })
            #expect(await !isThere { store.right(forIdentifier: "missing", completion: $0) })
            let right = try await store.right(forIdentifier: "login")
            await #expect(throws: LAError.self) { try await self.bytes { right.secret.loadData(completion: $0) } }
            #expect(await failure { right.authorize(localizedReason: "a test", completion: $0) } == nil)
            #expect(try await bytes { right.secret.loadData(completion: $0) } == secret)
            #expect(await failure { store.removeRight(right, completion: $0) } == nil)
            #expect(await !isThere { store.right(forIdentifier: "login", completion: $0) })
            #expect(await failure { store.removeRight(forIdentifier: "missing", completion: $0) } != nil)
            #expect(await failure { store.removeAllRights(completion: $0) } == nil)
            #expect(await !isThere { store.right(forIdentifier: "other", completion: $0) })
        }
    }

    private func isThere(_ call: (@escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void) -> Void) async -> Bool
    {
        await withCheckedContinuation { continuation in
            call { right, error in
                #expect((right == nil) != (error == nil))
                continuation.resume(returning: right != nil)
            }
        }
    }

    @Test func theKeysOfARightWork() async throws {
        let device = SimulatedDevice()
        try await device.run { () async throws in
            let right = try await LARightStore.shared.saveRight(LARight(), identifier: "login")
            let (key, publicKey) = (right.key, right.key.publicKey)
            let message = Data("a message".utf8)
            let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            await #expect(throws: LAError.self) {
                try await self.bytes { key.sign(message, algorithm: signing, completion: $0) }
            }
            try await right.authorize(localizedReason: "a test")
            let signature = try await bytes { key.sign(message, algorithm: signing, completion: $0) }
            #expect(
                await failed { publicKey.verify(message, signature: signature, algorithm: signing, completion: $0) }
                    == false)
            #expect(
                await failed {
                    publicKey.verify(message + [0], signature: signature, algorithm: signing, completion: $0)
                })
            let scheme = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let box = try await bytes { publicKey.encrypt(message, algorithm: scheme, completion: $0) }
            #expect(try await bytes { key.decrypt(box, algorithm: scheme, completion: $0) } == message)
            let exported = try await bytes { publicKey.exportBytes(completion: $0) }
            #expect(try await exported == publicKey.bytes)
            let agreement = SecKeyAlgorithm.ecdhKeyExchangeStandard
            let shared = try await bytes {
                key.exchangeKeys(publicKey: exported, algorithm: agreement, parameters: [:], completion: $0)
            }
            #expect(
                try await shared == key.exchangeKeys(publicKey: exported, algorithm: agreement, parameters: [:]))
        }
    }

    private func failed(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0 != nil) }
        }
    }
}
