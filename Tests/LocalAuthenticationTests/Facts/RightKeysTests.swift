import Foundation
import Latchkey
import LatchkeyTesting
import LocalAuthentication
import SecretVault
import Security
import Testing

/// Semantics 6.7: the keys of saved rights.
@Suite struct RightKeysTests {
    private static let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    private static let encryption = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    private static let exchange = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
    private static let message = Data("pay 5 to Bob".utf8)

    /// Saves a right under this requirement.
    private static func save(_ requirement: LAAuthenticationRequirement = .biometry) async throws -> LAPersistedRight {
        try await LARightStore.shared.saveRight(
            LARight(requirement: requirement), identifier: "pay", secret: Data([1]))
    }

    static let keys: [Fact] = [
        Fact("an authorized right signs, and its public key verifies", on: { SimulatedDevice() }) { device in
            let right = try await save()
            try await right.authorize(localizedReason: "a test")
            let signature = try await right.key.sign(message, algorithm: signing)
            try await right.key.publicKey.verify(message, signature: signature, algorithm: signing)
            let secret = try await right.secret.rawData
            #expect(secret == Data([1]) && device.factors == [.biometry])
        },
        Fact("a signature of something else is refused", on: { SimulatedDevice() }) { _ in
            let right = try await save()
            try await right.authorize(localizedReason: "a test")
            let signature = try await right.key.sign(message, algorithm: signing)
            let error = await #expect(throws: (any Error).self) {
                try await right.key.publicKey.verify(Data([1]), signature: signature, algorithm: signing)
            }
            #expect((error as NSError?)?.code == Int(errSecVerifyFailed))
        },
        Fact("the key needs an authorized right, and its use never prompts", on: { SimulatedDevice() }) { device in
            let right = try await save(.default)
            func sign() async throws { _ = try await right.key.sign(message, algorithm: signing) }
            #expect(await code(sign) == .authenticationFailed)
            try await right.authorize(localizedReason: "a test")
            #expect(await code(sign) == nil)
            await right.deauthorize()
            #expect(await code(sign) == .authenticationFailed && device.factors == [.biometry])
        },
        Fact("each requirement guards its key", on: { SimulatedDevice() }) { device in
            for requirement: LAAuthenticationRequirement in [
                .default, .biometry, .biometryCurrentSet, .biometry(fallback: .default),
                .biometry(fallback: .devicePasscode),
            ] {
                let right = try await save(requirement)
                try await right.authorize(localizedReason: "a test")
                _ = try await right.key.sign(message, algorithm: signing)
                try await LARightStore.shared.removeRight(right)
            }
            #expect(device.factors.count == 5)
        },
        Fact("the public key needs no authorization", on: { SimulatedDevice() }) { device in
            let key = try await save().key.publicKey
            let (bytes, box) = (try await key.bytes, try await key.encrypt(message, algorithm: encryption))
            #expect(bytes.count == 65 && bytes.first == 4 && box.count == 65 + message.count + 16)
            #expect(device.prompts.isEmpty)
        },
        Fact("the private key decrypts what the public key encrypts", on: { SimulatedDevice() }) { _ in
            let right = try await save()
            let box = try await right.key.publicKey.encrypt(message, algorithm: encryption)
            #expect(await code { _ = try await right.key.decrypt(box, algorithm: encryption) } == .authenticationFailed)
            try await right.authorize(localizedReason: "a test")
            let opened = try await right.key.decrypt(box, algorithm: encryption)
            #expect(opened == message)
            await #expect(throws: (any Error).self) { try await right.key.decrypt(message, algorithm: encryption) }
        },
        Fact("two parties agree on a secret", on: { SimulatedDevice() }) { _ in
            let right = try await save()
            let attributes: NSDictionary = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            ]
            let other = try #require(SecKeyCreateRandomKey(attributes, nil))
            let otherBytes = try #require(
                SecKeyCopyPublicKey(other).flatMap { SecKeyCopyExternalRepresentation($0, nil) })
            try await right.authorize(localizedReason: "a test")
            let mine = try await right.key.exchangeKeys(
                publicKey: otherBytes as Data, algorithm: exchange,
                parameters: [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32])
            let publicAttributes: NSDictionary = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            let rightsKey = try #require(
                SecKeyCreateWithData(try await right.key.publicKey.bytes as CFData, publicAttributes, nil))
            let parameters: NSDictionary = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32]
            let theirs = SecKeyCopyKeyExchangeResult(other, exchange, rightsKey, parameters, nil)
            #expect(mine.count == 32 && mine == theirs as Data?)
            await #expect(throws: (any Error).self) {
                try await right.key.exchangeKeys(publicKey: Data([4]), algorithm: exchange, parameters: [:])
            }
        },
        Fact("a key says which algorithms it supports", on: { SimulatedDevice() }) { device in
            let right = try await save()
            let key = right.key
            #expect(key.canSign(using: signing) && !key.canSign(using: .rsaSignatureMessagePKCS1v15SHA256))
            #expect(key.canDecrypt(using: encryption) && !key.canDecrypt(using: signing))
            #expect(key.canExchangeKeys(using: exchange) && !key.canExchangeKeys(using: encryption))
            #expect(key.publicKey.canVerify(using: signing) && !key.publicKey.canVerify(using: exchange))
            #expect(key.publicKey.canEncrypt(using: encryption) && !key.publicKey.canEncrypt(using: .rsaEncryptionRaw))
            try await LARightStore.shared.removeRight(right)
            #expect(!key.canSign(using: signing) && !key.publicKey.canVerify(using: signing))
            #expect(device.prompts.isEmpty)
        },
        Fact("an algorithm that the key does not support is a wrong parameter", on: { SimulatedDevice() }) { _ in
            let right = try await save()
            try await right.authorize(localizedReason: "a test")
            let error = await #expect(throws: (any Error).self) {
                try await right.key.sign(message, algorithm: .rsaSignatureMessagePKCS1v15SHA256)
            }
            #expect((error as NSError?)?.domain == NSOSStatusErrorDomain)
            #expect((error as NSError?)?.code == Int(errSecParam))
        },
        Fact("a lock ends the authorization of a key", on: { SimulatedDevice() }) { device in
            let right = try await save()
            try await right.authorize(localizedReason: "a test")
            device.lock()
            device.unlock(passcode: "1234")
            device.clearRecords()
            await #expect(throws: (any Error).self) { try await right.key.sign(message, algorithm: signing) }
            #expect(device.prompts.isEmpty)
        },
    ]

    static let lives: [Fact] = [
        Fact("a key of the current set fails once a finger was added", on: { SimulatedDevice() }) { device in
            let right = try await save(.biometryCurrentSet)
            let former = try await right.key.publicKey.bytes
            try await right.authorize(localizedReason: "a test")
            device.enroll("left thumb")
            await #expect(throws: (any Error).self) { try await right.key.sign(message, algorithm: signing) }
            await #expect(throws: LAError.self) { try await right.authorize(localizedReason: "a test") }
            let renewed = try await save(.biometryCurrentSet)
            try await renewed.authorize(localizedReason: "a test")
            let signature = try await renewed.key.sign(message, algorithm: signing)
            try await renewed.key.publicKey.verify(message, signature: signature, algorithm: signing)
            let bytes = try await renewed.key.publicKey.bytes
            #expect(bytes != former && device.world.items.count == 2)
        },
        Fact("each right has a key of its own", on: { SimulatedDevice() }) { _ in
            let one = try await LARightStore.shared.saveRight(LARight(), identifier: "one").key.publicKey.bytes
            let two = try await LARightStore.shared.saveRight(LARight(), identifier: "two").key.publicKey.bytes
            let again = try await LARightStore.shared.right(forIdentifier: "one").key.publicKey.bytes
            #expect(one != two && one == again)
        },
        Fact("a right that is taken keeps its key", on: { SimulatedDevice() }) { _ in
            let bytes = try await save().key.publicKey.bytes
            await #expect(throws: LAError.self) { try await save() }
            let still = try await LARightStore.shared.right(forIdentifier: "pay").key.publicKey.bytes
            #expect(bytes == still)
        },
        Fact("a removed right has no key", on: { SimulatedDevice() }) { device in
            let right = try await save()
            try await right.authorize(localizedReason: "a test")
            try await LARightStore.shared.removeRight(right)
            await #expect(throws: LAError.self) { try await right.key.sign(message, algorithm: signing) }
            await #expect(throws: LAError.self) { try await right.key.publicKey.bytes }
            #expect(device.world.items.isEmpty)
        },
        Fact("removing a right whose secret is gone removes its key", on: { SimulatedDevice() }) { device in
            let right = try await save(.biometryCurrentSet)
            device.enroll("left thumb")
            await #expect(throws: LAError.self) { try await right.authorize(localizedReason: "a test") }
            try? await LARightStore.shared.removeRight(right)
            #expect(device.world.items.isEmpty)
        },
        Fact("a right whose key is gone", on: { SimulatedDevice() }) { device in
            let right = try await save()
            try device.keychain.delete(ItemQuery(.key), by: device.keychain.requester.ofRights)
            try await right.authorize(localizedReason: "a test")
            let secret = try await right.secret.rawData
            #expect(secret == Data([1]))
            await #expect(throws: LAError.self) { try await right.key.sign(message, algorithm: signing) }
            #expect(!right.key.canSign(using: signing))
            try await LARightStore.shared.removeRight(right)
            #expect(device.world.items.isEmpty)
        },
    ]

    @Test(arguments: keys) func aRightUsesItsKey(_ fact: Fact) async throws { try await fact.check() }
    @Test(arguments: lives) func aKeyLivesWithItsRight(_ fact: Fact) async throws { try await fact.check() }
}
